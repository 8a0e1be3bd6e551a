package io.dpuactors.protocol.comch;

import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;

/**
 * Creates the behavior on a connection.
 *
 * <p>The behavior becomes a child of the connection. It receives every {@link ConnectionEvent}, and
 * at most {@link ConnectionOptions#credit} unprocessed messages. A behavior that stops closes the
 * connection. For a behavior that throws, the connection's strategy decides. After the end of the
 * connection the behavior receives {@link ConnectionEvent.Closed} and is stopped.
 */
@FunctionalInterface
public interface ConnectionBehavior {
  /**
   * Called once per connection, and again when a strategy restarts the behavior.
   *
   * @param connection the connection to send on
   */
  Behavior<ConnectionEvent> serve(ActorRef<ConnectionProtocol.Command> connection);
}
