package com.example.pingpong;

import static com.typesafe.config.ConfigFactory.load;

import io.dpuactors.engine.Engine;
import io.dpuactors.protocol.ContextReply;
import io.dpuactors.protocol.EngineProtocol.OpenComchServer;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.protocol.ServerProtocol;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Answers every ping, until it is stopped. */
public final class PongServer {
  private PongServer() {}

  /** Runs the server until the program is stopped. */
  public static void main(String[] args) {
    start();
  }

  // tag::pong[]
  static Behavior<ConnectionEvent> pong(ActorRef<ConnectionProtocol.Command> connection) {
    return Behaviors.receive(ConnectionEvent.class) // one such actor per connection
        .onMessage(
            Message.class,
            ping -> {
              System.out.println(ping.text());
              connection.tell(Send.orFail("pong"));
              return Behaviors.same();
            })
        .build();
  }

  static ActorSystem<EngineProtocol.Command> start() {
    ActorSystem<EngineProtocol.Command> engine =
        ActorSystem.create(Engine.create(), "pong", load(), Engine.props());
    ServerOptions options = ServerOptions.of("ping-pong", PongServer::pong);
    CompletionStage<ServerProtocol.OpenReply> opened =
        AskPattern.ask(
            engine,
            me -> new OpenComchServer("server", options, me),
            Duration.ofSeconds(10),
            engine.scheduler());
    System.out.println(opened.toCompletableFuture().join()); // Opened, or OpenFailed and why
    return engine;
  }
  // end::pong[]
}
