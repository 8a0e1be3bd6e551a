package io.dpuactors.protocol.comch;

import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;

/**
 * What to do with a connection: the one thing that the author of a service writes.
 *
 * <p>The behavior becomes a child of the connection. It gets every {@link ConnectionEvent}, at most
 * {@link ConnectionOptions#credit} messages ahead of what it has handled. When it stops, the
 * connection is closed; when it throws, the connection's strategy decides; when the connection is
 * over, it gets {@link ConnectionEvent.Closed} and is stopped.
 */
@FunctionalInterface
public interface ConnectionBehavior {
  /**
   * Called once per connection, and again when a strategy restarts the behavior.
   *
   * @param connection where to send
   */
  Behavior<ConnectionEvent> serve(ActorRef<ConnectionProtocol.Command> connection);
}
