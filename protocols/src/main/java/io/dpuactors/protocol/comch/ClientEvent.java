package io.dpuactors.protocol.comch;

import io.dpuactors.bridge.DocaError;
import org.apache.pekko.actor.typed.ActorRef;

/** What a {@code ComchClient} tells of its life. */
public sealed interface ClientEvent {
  /**
   * The client is connected.
   *
   * @param times how often it has been by now; more than 1: it has come back
   */
  record Connected(ActorRef<ConnectionProtocol.Command> connection, long times)
      implements ClientEvent {}

  /** There was no server, or the connection is lost; the client's strategy decides what follows. */
  record Lost(DocaError error) implements ClientEvent {}
}
