package io.dpuactors.protocol;

import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Creates the behavior on a connection.
 *
 * <p>The behavior becomes a child of the connection. The behavior receives every {@link
 * ConnectionEvent}, and at most {@link ConnectionOptions#credit} unprocessed messages. A behavior
 * that stops closes the connection. For a behavior that throws, the connection's strategy decides.
 * After the end of the connection the behavior receives {@link ConnectionEvent.Closed} and is
 * stopped.
 */
@FunctionalInterface
public interface ConnectionBehavior {
  /**
   * Called once per connection, and again when a strategy restarts the behavior.
   *
   * @param connection the connection to send on
   */
  Behavior<ConnectionEvent> serve(ActorRef<ConnectionProtocol.Command> connection);

  /**
   * Returns a connection behavior with a protocol other than {@link ConnectionEvent}. Events of the
   * connection arrive as messages of that protocol, beside replies, timers and results of {@code
   * pipeToSelf}.
   *
   * @param <M> messages of the behavior; no {@link ConnectionEvent} may be one
   * @param event makes a message of an event
   * @param behavior creates the behavior on a connection
   */
  static <M> ConnectionBehavior of(
      Function<ConnectionEvent, M> event,
      Function<ActorRef<ConnectionProtocol.Command>, Behavior<M>> behavior) {
    return connection ->
        Behaviors.transformMessages(
            ConnectionEvent.class,
            behavior.apply(connection),
            cases -> cases.match(ConnectionEvent.class, event::apply));
  }
}
