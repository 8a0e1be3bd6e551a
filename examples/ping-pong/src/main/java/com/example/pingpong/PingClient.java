package com.example.pingpong;

import io.dpuactors.engine.Engine;
import io.dpuactors.protocol.ContextReply.OpenFailed;
import io.dpuactors.protocol.ContextReply.Opened;
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

  static Behavior<Object> create() {
    return Behaviors.setup(
        context -> {
          ActorRef<EngineProtocol.Command> engine = Engine.spawn(context, "engine");
          ClientOptions options = ClientOptions.of("ping-pong").withBehavior(PingClient::ping);
          engine.tell(new OpenComchClient("client", options, context.getSelf().narrow()));
          return Behaviors.receive(Object.class)
              .onMessage(
                  Opened.class,
                  client -> {
                    context.watch((ActorRef<?>) client.context());
                    return Behaviors.same();
                  })
              .onMessage(
                  OpenFailed.class,
                  failed -> {
                    System.out.println(failed); // no server
                    return Behaviors.stopped();
                  })
              .onSignal(Terminated.class, over -> Behaviors.stopped()) // the client has ended
              .build();
        });
  }
  // end::ping[]
}
