package com.example.pingpong;

import io.dpuactors.engine.Engine;
import io.dpuactors.protocol.EngineProtocol.OpenComchClient;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.ConnectionProtocol;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Sends one ping to a PongServer that runs. */
public final class PingClient {
  private PingClient() {}

  /** Runs the client until it has the answer. */
  public static void main(String[] args) {
    ActorSystem.create(create(), "ping");
  }

  // tag::ping[]
  static Behavior<ConnectionEvent> ping(ActorRef<ConnectionProtocol.Command> connection) {
    connection.tell(Send.orFail("ping"));
    return Behaviors.receive(ConnectionEvent.class)
        .onMessage(
            Message.class,
            pong -> {
              System.out.println(pong.text());
              return Behaviors.stopped(); // also stops the connection
            })
        .build();
  }

  sealed interface Command {}

  private record ClientReply(ConnectionProtocol.OpenReply reply) implements Command {}

  static Behavior<Command> create() {
    return Behaviors.setup(
        context -> {
          ActorRef<EngineProtocol.Command> engine = Engine.spawn(context, "engine");
          ClientOptions options = ClientOptions.of("ping-pong").withBehavior(PingClient::ping);
          ActorRef<ConnectionProtocol.OpenReply> adapter =
              context.messageAdapter(ConnectionProtocol.OpenReply.class, ClientReply::new);
          engine.tell(new OpenComchClient("client", options, adapter));
          return Behaviors.receive(Command.class)
              .onMessage(ClientReply.class, message -> onReply(context, message.reply()))
              .onSignal(Terminated.class, over -> Behaviors.stopped()) // the client has ended
              .build();
        });
  }

  private static Behavior<Command> onReply(
      ActorContext<Command> context, ConnectionProtocol.OpenReply reply) {
    if (reply instanceof ConnectionProtocol.Opened opened) {
      context.watch(opened.context());
      return Behaviors.same();
    }
    System.out.println(reply); // no server
    return Behaviors.stopped();
  }
  // end::ping[]
}
