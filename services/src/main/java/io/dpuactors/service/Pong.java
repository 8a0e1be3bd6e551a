package io.dpuactors.service;

import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.wire.PingPong;
import io.dpuactors.wire.WireException;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * The server's end of the ping service: a {@code ConnectionBehavior} that answers every ping. Any
 * other message closes the connection.
 */
public final class Pong {
  private Pong() {}

  /** Serves one connection. */
  public static Behavior<ConnectionEvent> serve(ActorRef<ConnectionProtocol.Command> connection) {
    return Behaviors.receive(
        (context, event) ->
            event instanceof Message ping ? answer(ping, connection, context) : Behaviors.same());
  }

  private static Behavior<ConnectionEvent> answer(
      Message ping,
      ActorRef<ConnectionProtocol.Command> connection,
      ActorContext<ConnectionEvent> context) {
    try {
      connection.tell(Send.orFail(PingPong.pong(ping.bytes())));
      return Behaviors.same();
    } catch (WireException e) {
      context.getLog().warn("closing the connection of a ping client: {}", e.getMessage());
      return Behaviors.stopped();
    }
  }
}
