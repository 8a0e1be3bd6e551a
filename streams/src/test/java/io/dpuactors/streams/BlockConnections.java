package io.dpuactors.streams;

import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.protocol.Stop;
import io.dpuactors.testing.ComchPair;
import io.dpuactors.testing.RunningSystem;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/**
 * Connections for streams over the fast path. Each stream has a new connection, from a client to
 * the server. The client closes it after the stream under test. One thread opens them.
 */
public final class BlockConnections {
  private static final String SERVICE = "blocks";
  private final RunningSystem system;
  private final PoolOptions blocks;
  private final TestProbe<ActorRef<ConnectionProtocol.Command>> opened;
  private int connections;

  /**
   * Opens the server.
   *
   * @param blocks of each end of a stream
   */
  public BlockConnections(RunningSystem system, PoolOptions blocks) {
    this.system = system;
    this.blocks = blocks;
    opened = system.kit.createTestProbe();
    ComchPair.server(
        system,
        ServerOptions.of(
            SERVICE,
            connection -> {
              opened.getRef().tell(connection);
              return Behaviors.empty();
            }));
  }

  private ActorRef<ConnectionProtocol.Command> connect() {
    connections++;
    return ComchPair.client(
        system, system.engine, "blocks-" + connections, ClientOptions.of(SERVICE));
  }

  /** Returns a source at the server, to which a client sends the elements. */
  public Source<ByteString, ?> source(Source<ByteString, ?> elements) {
    ActorRef<ConnectionProtocol.Command> client = connect();
    elements.runWith(Comch.producer(system.engine, client, blocks), system.kit.system());
    return Comch.consumer(system.engine, opened.receiveMessage(), blocks)
        .mapMaterializedValue(end -> closing(client, end));
  }

  /**
   * Returns a sink of a client.
   *
   * @param server takes the elements at the server
   */
  public Sink<ByteString, ?> sink(Sink<ByteString, ?> server) {
    ActorRef<ConnectionProtocol.Command> client = connect();
    Comch.consumer(system.engine, opened.receiveMessage(), blocks)
        .runWith(server, system.kit.system());
    return Comch.producer(system.engine, client, blocks)
        .mapMaterializedValue(end -> closing(client, end));
  }

  /** The ends of both streams of a flow. */
  record Ends(CompletionStage<StreamStatistics> sent, CompletionStage<StreamStatistics> received) {}

  /** Returns a flow that sends its elements to the server, and emits those of the server. */
  Flow<ByteString, ByteString, Ends> flow() {
    ActorRef<ConnectionProtocol.Command> client = connect();
    return Flow.fromSinkAndSourceMat(
        Comch.producer(system.engine, client, blocks),
        Comch.consumer(system.engine, opened.receiveMessage(), blocks),
        (sent, received) -> {
          closing(client, sent.handle((sum, failure) -> received).thenCompose(end -> end));
          return new Ends(sent, received);
        });
  }

  private static CompletionStage<StreamStatistics> closing(
      ActorRef<ConnectionProtocol.Command> client, CompletionStage<StreamStatistics> end) {
    return end.whenComplete((statistics, failure) -> client.tell(new Stop()));
  }
}
