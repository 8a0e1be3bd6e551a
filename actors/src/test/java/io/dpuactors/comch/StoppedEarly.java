package io.dpuactors.comch;

import io.dpuactors.comch.ServerRig.Pair;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.testing.FreshSoftDpu;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Stops engines whose device returns no task: they end at their deadline. This class is a program,
 * because the process leaks their resources. The exit status is 0 if resources were left and every
 * request was answered.
 */
final class StoppedEarly {
  private StoppedEarly() {}

  /** Halts in all cases, because the leaked resources would keep the process running. */
  public static void main(String[] args) throws InterruptedException {
    Thread.currentThread()
        .setUncaughtExceptionHandler(
            (thread, e) -> {
              System.err.println("stopped early: " + e);
              Runtime.getRuntime().halt(1);
            });
    ServerRig rig =
        ServerRig.create(
            """
            dpu.engine.stop-deadline = 200ms
            dpu.comch.connection.window = 1
            """);
    Pair pair = rig.pair(true);
    FreshSoftDpu.DEVICE.faults("comch-send:delay=100s;comch-producer-send:delay=100s");
    Fixtures.slowBlock(rig, pair);
    Fixtures.awaitDelayed();
    for (int i = 0; i < 3; i++) {
      rig.send(pair.client(), "from the client " + i);
      rig.send(pair.served().connection(), "from the server " + i);
    }
    boolean isLeft = true;
    for (ActorRef<EngineProtocol.Command> engine : List.of(rig.system.engine, rig.clients)) {
      TestProbe<Stopped> stopped = rig.system.kit.createTestProbe();
      engine.tell(new Stop(stopped.getRef()));
      isLeft &= !stopped.receiveMessage().clean();
    }
    rig.ledger.settle();
    Runtime.getRuntime().halt(isLeft ? 0 : 2);
  }
}
