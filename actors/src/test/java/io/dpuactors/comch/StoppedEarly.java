package io.dpuactors.comch;

import io.dpuactors.comch.Scene.Pair;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.Stopped;
import io.dpuactors.testing.FreshSoftDpu;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Engines whose device gives nothing back end at their deadline. A program of its own, because what
 * they leave is left for good; its exit status is 0 when they left something, and every request was
 * answered all the same.
 */
final class StoppedEarly {
  private StoppedEarly() {}

  /** Halts, whatever happens: what is left must keep no process. */
  public static void main(String[] args) throws InterruptedException {
    Thread.currentThread()
        .setUncaughtExceptionHandler(
            (thread, e) -> {
              System.err.println("stopped early: " + e);
              Runtime.getRuntime().halt(1);
            });
    Scene scene =
        Scene.create(
            """
            dpu.engine.stop-deadline = 200ms
            dpu.comch.connection.window = 1
            """);
    Pair pair = scene.pair(true);
    FreshSoftDpu.DEVICE.faults("comch-send:delay=100s;comch-producer-send:delay=100s");
    Casting.slowBlock(scene, pair);
    Casting.awaitDelayed();
    for (int i = 0; i < 3; i++) {
      scene.send(pair.client(), "from the client " + i);
      scene.send(pair.served().connection(), "from the server " + i);
    }
    boolean isLeft = true;
    for (ActorRef<EngineProtocol.Command> engine : List.of(scene.system.engine, scene.clients)) {
      TestProbe<Stopped> stopped = scene.system.kit.createTestProbe();
      engine.tell(new EngineProtocol.Stop(stopped.getRef()));
      isLeft &= !stopped.receiveMessage().clean();
    }
    scene.ledger.settle();
    Runtime.getRuntime().halt(isLeft ? 0 : 2);
  }
}
