package io.dpuactors.benchmarks.soak;

import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.EngineProtocol.OpenComchClient;
import io.dpuactors.protocol.EngineProtocol.OpenComchServer;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.protocol.ServerProtocol;
import io.dpuactors.service.Pong;
import io.dpuactors.wire.PingPong;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Messages of a comch client on one engine to a server on another. */
final class MessageWorkload implements Workload {
  private static final int PING_BYTES = 64;

  private final RoundContexts round;
  private final SoakContext<ServerProtocol.Command> server;
  private final SoakContext<ConnectionProtocol.Command> client;

  private MessageWorkload(
      RoundContexts round,
      SoakContext<ServerProtocol.Command> server,
      SoakContext<ConnectionProtocol.Command> client) {
    this.round = round;
    this.server = server;
    this.client = client;
  }

  /**
   * Opens both ends.
   *
   * @param service name of the server
   */
  static MessageWorkload open(RoundContexts round, String service) {
    ServerOptions served = ServerOptions.of(service, Pong::serve);
    ClientOptions connected =
        ClientOptions.of(service)
            .withBehavior(
                connection ->
                    Behaviors.receive(ConnectionEvent.class)
                        .onAnyMessage(event -> Behaviors.same())
                        .build());
    SoakContext<ServerProtocol.Command> server =
        round.<ServerProtocol.Command, ServerProtocol.OpenReply>add(
            0, "comch-server", me -> new OpenComchServer("comch-server", served, me));
    SoakContext<ConnectionProtocol.Command> client =
        round.<ConnectionProtocol.Command, ConnectionProtocol.OpenReply>add(
            1, "comch-client", me -> new OpenComchClient("comch-client", connected, me));
    return new MessageWorkload(round, server, client);
  }

  @Override
  public boolean send(SplittableRandom random) {
    server.require();
    ActorRef<ConnectionProtocol.Command> to = client.require();
    if (to == null) {
      return false;
    }
    long tag = round.ledger().enter(Kind.COMCH, null, null, answer -> true);
    to.tell(new Send(PingPong.ping(PING_BYTES), tag, Optional.of(round.answers(Kind.COMCH))));
    return true;
  }
}
