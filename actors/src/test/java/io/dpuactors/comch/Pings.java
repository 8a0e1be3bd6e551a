package io.dpuactors.comch;

import io.dpuactors.protocol.comch.ConnectionBehavior;
import io.dpuactors.protocol.comch.ConnectionEvent;
import io.dpuactors.protocol.comch.ConnectionEvent.Closed;
import io.dpuactors.protocol.comch.ConnectionEvent.Message;
import io.dpuactors.protocol.comch.ConnectionProtocol;
import io.dpuactors.protocol.comch.ConnectionProtocol.Send;
import java.nio.charset.StandardCharsets;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** A client's side of {@code ping}: numbered messages, several on their way at once. */
final class Pings {
  /**
   * How it has gone.
   *
   * @param answered pongs that came, each with the number that was due
   * @param fault what was lost, doubled or out of order, or how the connection ended; empty:
   *     nothing
   */
  record Outcome(int answered, String fault) {}

  private final ActorRef<ConnectionProtocol.Command> connection;
  private final int count;
  private final ActorRef<Outcome> told;
  private int sent;
  private int answered;

  private Pings(
      ActorRef<ConnectionProtocol.Command> connection, int count, ActorRef<Outcome> told) {
    this.connection = connection;
    this.count = count;
    this.told = told;
  }

  /** Sends so many, has at most {@code window} unanswered, leaves, and says how it has gone. */
  static ConnectionBehavior of(int count, int window, ActorRef<Outcome> told) {
    return connection -> {
      Pings pings = new Pings(connection, count, told);
      for (int i = 0; i < Math.min(window, count); i++) {
        pings.send();
      }
      return Behaviors.receive(ConnectionEvent.class)
          .onMessage(Message.class, message -> pings.onPong(message.text()))
          .onMessage(Closed.class, closed -> pings.end(String.valueOf(closed.error())))
          .onAnyMessage(event -> Behaviors.same())
          .build();
    };
  }

  private void send() {
    connection.tell(Send.orFail(("ping" + sent++).getBytes(StandardCharsets.US_ASCII)));
  }

  private Behavior<ConnectionEvent> onPong(String text) {
    if (!text.equals("pong" + answered)) {
      return end(text + " came where pong" + answered + " was due");
    }
    answered++;
    if (answered == count) {
      return end("");
    }
    if (sent < count) {
      send();
    }
    return Behaviors.same();
  }

  private Behavior<ConnectionEvent> end(String fault) {
    told.tell(new Outcome(answered, fault));
    return Behaviors.stopped();
  }
}
