package io.dpuactors.streams;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.protocol.ConnectionEvent.Closed;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.PoolOptions;
import java.util.Optional;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RelayTest {
  private final ActorTestKit kit = ActorTestKit.create();
  private final TestProbe<Object> stream = kit.createTestProbe();
  private final TestProbe<ConnectionProtocol.Command> line = kit.createTestProbe();

  @AfterEach
  void shutdown() {
    kit.shutdownTestKit();
  }

  @Test
  void aRelayThatIsStoppedReportsTheClose() {
    ActorRef<Relay.Command> relay = spawn();
    assertThat(stream.receiveMessage()).isEqualTo(new Relay.Attached(line.getRef()));
    kit.stop(relay);
    assertThat(stream.receiveMessage()).isEqualTo(new Closed(Optional.empty()));
    stream.expectNoMessage();
  }

  @Test
  void aCloseIsReportedOnce() {
    ActorRef<Relay.Command> relay = spawn();
    Closed closed =
        new Closed(Optional.of(Failures.exception("x", DocaCode.CONNECTION_RESET, "peer").error()));
    relay.tell(new Relay.Event(closed));
    assertThat(stream.receiveMessage()).isEqualTo(new Relay.Attached(line.getRef()));
    assertThat(stream.receiveMessage()).isEqualTo(closed);
    kit.stop(relay);
    stream.expectNoMessage();
  }

  @Test
  void aPeerThatSendsWithoutAStreamIsLeft() {
    ActorRef<Relay.Command> relay =
        kit.spawn(
            Relay.create(
                line.getRef(),
                line.getRef(),
                StreamLimits.of(PoolOptions.of(1, 4096), 0),
                incoming -> {}));
    for (int i = 0; i < 1000; i++) {
      relay.tell(new Relay.Event(new Message(new byte[4096])));
    }
    line.expectTerminated(relay);
  }

  private ActorRef<Relay.Command> spawn() {
    return kit.spawn(
        Relay.create(line.getRef(), new Relay.Attach(stream.getRef(), new StreamEnd())));
  }
}
