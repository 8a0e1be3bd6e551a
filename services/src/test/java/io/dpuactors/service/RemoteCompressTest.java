package io.dpuactors.service;

import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.protocol.CompressProtocol.GetCapabilities;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.ConnectionProtocol.Subscribe;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.Stop;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.wire.CompressMessage.Hello;
import java.time.Duration;
import java.util.Optional;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the limits of the server's answers, on a manual clock. */
@ExtendWith(CleanLog.class)
class RemoteCompressTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final ActorTestKit kit = ActorTestKit.create(ManualTime.config());
  private final ManualTime time = ManualTime.get(kit.system());
  private final TestProbe<ConnectionProtocol.Command> connection = kit.createTestProbe();
  private final TestProbe<EngineProtocol.Command> engine = kit.createTestProbe();
  private final TestProbe<RemoteCompress.Event> events = kit.createTestProbe();

  @AfterEach
  void shutdown() {
    kit.shutdownTestKit();
  }

  /** The limit of the start ends with the start, and does not shorten the limit of the summary. */
  @Test
  void theLimitOfTheSummaryBeginsWithTheFinish() {
    ActorRef<Object> remote =
        kit.spawn(
            RemoteCompress.create(
                connection.getRef(),
                engine.getRef(),
                Optional.empty(),
                new Hello(1024, 4),
                events.getRef()));
    connection.expectMessageClass(Subscribe.class);
    connection.expectMessageClass(Send.class);
    time.timePasses(LIMIT.minusSeconds(1));
    remote.tell(RemoteCompress.Finish.INSTANCE);
    connection.expectMessageClass(Send.class);
    time.timePasses(LIMIT.minusSeconds(1));
    awaitTurn(remote);
    connection.expectNoMessage(Duration.ZERO);
    time.timePasses(Duration.ofSeconds(1));
    connection.expectMessageClass(Stop.class);
  }

  /** Waits until the actor has handled its earlier messages. */
  private void awaitTurn(ActorRef<Object> remote) {
    TestProbe<TaskCapabilities> reply = kit.createTestProbe();
    remote.tell(new GetCapabilities(reply.getRef()));
    reply.receiveMessage();
  }
}
