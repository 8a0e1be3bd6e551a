package io.dpuactors.protocol;

import io.dpuactors.bridge.DocaError;
import org.apache.pekko.actor.typed.ActorRef;

/** Events in the life of an {@code RdmaClient}. */
public sealed interface RdmaClientEvent extends LocalMessage {
  /**
   * The client is connected.
   *
   * @param times number of connections so far; more than 1 after a reconnect
   */
  record Connected(ActorRef<RdmaConnectionProtocol.Command> connection, long times)
      implements RdmaClientEvent {}

  /**
   * The client found no listener, or lost its connection. The client's strategy decides about a
   * restart.
   */
  record Lost(DocaError error) implements RdmaClientEvent {}
}
