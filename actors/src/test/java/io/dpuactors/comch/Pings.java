package io.dpuactors.comch;

import io.dpuactors.protocol.ConnectionBehavior;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionEvent.Closed;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import java.nio.charset.StandardCharsets;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Both sides of {@code ping}: numbered messages, several in flight at the same time. */
final class Pings {
  /**
   * Result of a run.
   *
   * @param answered number of pongs received in order
   * @param fault the lost, duplicate or unordered pong, or the end of the connection; empty for
   *     none
   */
  record Outcome(int answered, String fault) {}

  private final ActorRef<ConnectionProtocol.Command> connection;
  private final int count;
  private final ActorRef<Outcome> replyTo;
  private int sent;
  private int answered;

  private Pings(
      ActorRef<ConnectionProtocol.Command> connection, int count, ActorRef<Outcome> replyTo) {
    this.connection = connection;
    this.count = count;
    this.replyTo = replyTo;
  }

  /**
   * Returns a behavior that sends {@code count} pings with at most {@code window} unanswered,
   * stops, and reports the result.
   */
  static ConnectionBehavior of(int count, int window, ActorRef<Outcome> replyTo) {
    return connection -> {
      Pings pings = new Pings(connection, count, replyTo);
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

  /** Serves one connection: answers {@code ping7} with {@code pong7}. */
  static Behavior<ConnectionEvent> answer(ActorRef<ConnectionProtocol.Command> connection) {
    return Behaviors.receive(ConnectionEvent.class)
        .onMessage(
            Message.class,
            ping -> {
              connection.tell(Send.orFail(ping.text().replace("ping", "pong")));
              return Behaviors.same();
            })
        .onAnyMessage(event -> Behaviors.same())
        .build();
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
    replyTo.tell(new Outcome(answered, fault));
    return Behaviors.stopped();
  }
}
