package io.dpuactors.service;

import io.dpuactors.protocol.ConnectionBehavior;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.wire.DmaOffer;
import io.dpuactors.wire.WireException;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * The server's end of the DMA service: a {@code ConnectionBehavior} that sends the export and
 * receives {@code done} when the client has copied. The client's device moves the data. Any other
 * message closes the connection.
 */
public final class MemoryOffer {
  private MemoryOffer() {}

  /**
   * Returns a behavior that offers the same memory to all clients. The export must outlive the
   * server.
   */
  public static ConnectionBehavior of(DmaOffer offer) {
    byte[] message = offer.encode();
    return connection ->
        Behaviors.setup(
            context -> {
              connection.tell(Send.orFail(message));
              return Behaviors.receiveMessage(
                  event ->
                      event instanceof Message done ? onMessage(done, context) : Behaviors.same());
            });
  }

  private static Behavior<ConnectionEvent> onMessage(
      Message message, ActorContext<ConnectionEvent> context) {
    try {
      DmaOffer.checkDone(message.bytes());
      return Behaviors.same(); // the client closes the connection
    } catch (WireException e) {
      context.getLog().warn("closing the connection of a DMA client: {}", e.getMessage());
      return Behaviors.stopped();
    }
  }
}
