package io.dpuactors.docs;

import static com.typesafe.config.ConfigFactory.load;
import static io.dpuactors.docs.HelloCompress.ask;
import static org.apache.pekko.actor.typed.DispatcherSelector.fromConfig;

import io.dpuactors.engine.Engine;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenComchServer;
import io.dpuactors.protocol.EngineProtocol.OpenReply;
import io.dpuactors.protocol.comch.ConnectionEvent;
import io.dpuactors.protocol.comch.ConnectionEvent.Message;
import io.dpuactors.protocol.comch.ConnectionProtocol;
import io.dpuactors.protocol.comch.ConnectionProtocol.Send;
import io.dpuactors.protocol.comch.ServerOptions;
import io.dpuactors.protocol.comch.ServerProtocol;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Answers every ping. */
final class PongServer {
  private PongServer() {}

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
        ActorSystem.create(Engine.create(), "pong", load(), fromConfig("dpu.engine-dispatcher"));
    ServerOptions options = ServerOptions.of("shoc-test", PongServer::pong);
    OpenReply<ServerProtocol.Command> opened =
        ask(engine, me -> new OpenComchServer("server", options, me), engine);
    System.out.println(opened); // Opened, or OpenFailed and why
    return engine;
  }
  // end::pong[]
}
