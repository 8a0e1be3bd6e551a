package io.dpuactors.streams;

import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.ClassicActorSystemProvider;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.util.ByteString;

/**
 * A client of {@link Comch#bind} or {@link Rdma#bind}. Materialize {@link #flow} once. The server
 * closes a connection whose flow is not materialized within {@code dpu.engine.open-deadline}.
 *
 * @param <C> messages of the connection's actor
 */
public final class IncomingConnection<C> {
  private final ActorRef<C> connection;
  private final ActorRef<Relay.Command> relay;
  private final StreamLimits.Source limits;

  IncomingConnection(
      ActorRef<C> connection, ActorRef<Relay.Command> relay, StreamLimits.Source limits) {
    this.connection = connection;
    this.relay = relay;
    this.limits = limits;
  }

  /**
   * Returns the actor of the connection, for producers, consumers, and access to memory of the
   * peer. A message that the program sends to the peer fails the stream of the peer.
   */
  public ActorRef<C> connection() {
    return connection;
  }

  /** Returns the actor that ends with the connection's stream. */
  ActorRef<Relay.Command> relay() {
    return relay;
  }

  /**
   * Returns the connection as a flow: it sends the elements that it receives from upstream, and
   * emits those of the client. See {@link Comch#outgoingConnection}.
   *
   * @return a second materialization fails with {@code DOCA_ERROR_IN_USE}
   */
  public Flow<ByteString, ByteString, CompletionStage<StreamStatistics>> flow() {
    return Flow.fromGraph(new ConnectionStage(limits, (attach, system) -> relay));
  }

  /**
   * Runs the connection with a flow that makes the elements for the client of those of the client.
   *
   * @return the materialized value of {@link #flow}
   */
  public CompletionStage<StreamStatistics> handleWith(
      Flow<ByteString, ByteString, ?> handler, ClassicActorSystemProvider system) {
    return flow().join(handler).run(system);
  }
}
