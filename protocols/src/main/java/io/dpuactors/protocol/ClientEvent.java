package io.dpuactors.protocol;

import io.dpuactors.bridge.DocaError;
import org.apache.pekko.actor.typed.ActorRef;

/** Events in the life of a {@code ComchClient}. */
public sealed interface ClientEvent extends LocalMessage {
  /**
   * The client is connected.
   *
   * @param times number of connections so far; more than 1 after a reconnect
   */
  record Connected(ActorRef<ConnectionProtocol.Command> connection, long times)
      implements ClientEvent {}

  /**
   * The client found no server, or lost its connection. The client's strategy decides about a
   * restart.
   */
  record Lost(DocaError error) implements ClientEvent {}
}
