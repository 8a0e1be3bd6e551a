package io.dpuactors.service;

import io.dpuactors.protocol.comch.ConnectionBehavior;
import io.dpuactors.protocol.comch.ConnectionEvent;
import io.dpuactors.protocol.comch.ConnectionEvent.Message;
import io.dpuactors.protocol.comch.ConnectionProtocol.Send;
import io.dpuactors.protocol.wire.DmaOffer;
import io.dpuactors.protocol.wire.WireException;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * The server's end of the DMA service: a {@code ConnectionBehavior} that tells where the memory is,
 * and hears when the client has copied it. The data move without it. A client that says something
 * else loses its connection.
 */
public final class MemoryOffer {
  private MemoryOffer() {}

  /** Shows the same memory to everybody; it stays exported as long as the server lives. */
  public static ConnectionBehavior of(DmaOffer offer) {
    byte[] message = offer.encode();
    return connection ->
        Behaviors.setup(
            context -> {
              connection.tell(Send.orFail(message));
              return Behaviors.receiveMessage(
                  event -> event instanceof Message done ? hear(done, context) : Behaviors.same());
            });
  }

  private static Behavior<ConnectionEvent> hear(
      Message message, ActorContext<ConnectionEvent> context) {
    try {
      DmaOffer.checkDone(message.bytes());
      return Behaviors.same(); // it leaves when it wants to
    } catch (WireException e) {
      context.getLog().warn("a client of the DMA service is sent away: {}", e.getMessage());
      return Behaviors.stopped();
    }
  }
}
