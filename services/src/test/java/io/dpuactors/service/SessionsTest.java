package io.dpuactors.service;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.Stop;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the parent of all sessions without a device. */
@ExtendWith(CleanLog.class)
class SessionsTest {
  private final ActorTestKit kit = ActorTestKit.create();
  private final TestProbe<ConnectionProtocol.Command> refused = kit.createTestProbe();
  private final TestProbe<ConnectionProtocol.Command> accepted = kit.createTestProbe();
  private final TestProbe<ConnectionEvent> events = kit.createTestProbe();

  @AfterEach
  void shutdown() {
    kit.shutdownTestKit();
  }

  @Test
  @ExpectedLog("unknown client")
  void aSessionThatCannotBeCreatedClosesOnlyItsConnection() {
    ActorRef<Sessions.Command> sessions = kit.spawn(Sessions.create(this::session));
    kit.spawn(Sessions.connections(sessions).serve(refused.getRef()));
    refused.expectMessageClass(Stop.class);
    ActorRef<ConnectionEvent> behavior =
        kit.spawn(Sessions.connections(sessions).serve(accepted.getRef()));
    Message message = new Message("text".getBytes(US_ASCII));
    behavior.tell(message);
    events.expectMessage(message);
  }

  private Behavior<ConnectionEvent> session(ActorRef<ConnectionProtocol.Command> connection) {
    if (connection.equals(refused.getRef())) {
      throw new IllegalStateException("unknown client");
    }
    return Behaviors.receiveMessage(
        event -> {
          events.getRef().tell(event);
          return Behaviors.same();
        });
  }
}
