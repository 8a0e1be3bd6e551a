package io.dpuactors.streams;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.ConnectionBehavior;
import io.dpuactors.protocol.ConnectionOptions;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenComchClient;
import io.dpuactors.protocol.EngineProtocol.OpenComchServer;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.protocol.ServerProtocol;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.stream.WatchedActorTerminatedException;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/**
 * The communication channel as streams. Both ends of a connection are streams: they exchange
 * elements, grants, the end, the cancellation and the failure of each direction.
 */
public final class Comch {
  private Comch() {}

  /**
   * Opens a server when the source is materialized, and emits each connection. The server stops,
   * and its connections close, when the source is cancelled.
   *
   * @param options options of the server; this method replaces the behavior. Connections beyond
   *     {@code maxConnections} are refused
   * @return the materialized value completes when clients can connect. The value fails, as the
   *     source does, with the error of the server
   */
  public static Source<
          IncomingConnection<ConnectionProtocol.Command>,
          CompletionStage<ServerBinding<ServerProtocol.Command>>>
      bind(ActorRef<EngineProtocol.Command> engine, ServerOptions options) {
    StreamLimits.Source limits = StreamLimits.of(options.connections());
    return Binding.source(
        config ->
            options
                .maxConnections()
                .orElseGet(() -> config.getInt("dpu.comch.server.max-connections")),
        (name, connections, replyTo) ->
            engine.tell(
                new OpenComchServer(
                    name, options.withBehavior(behavior(limits, connections)), replyTo.narrow())));
  }

  private static ConnectionBehavior behavior(
      StreamLimits.Source limits, Consumer<IncomingConnection<ConnectionProtocol.Command>> opened) {
    return ConnectionBehavior.of(
        Relay.Event::new, connection -> Relay.create(connection, connection, limits, opened));
  }

  /**
   * Connects to a service of {@link #bind} when the flow is materialized. The flow sends the
   * elements from upstream, and emits those of the server. An element has at most the bytes of a
   * message of the connection, less one; {@link ConnectionOptions#withFraming} allows more.
   *
   * <p>The two directions end apart: the upstream may complete while elements of the server arrive,
   * and the downstream may cancel while elements are sent. The connection closes when both
   * directions have ended, and at a failure of either end.
   *
   * @param options options of the client; the behavior and the strategy have no effect. {@link
   *     ConnectionOptions#credit} is the number of elements that the server may send ahead of the
   *     downstream
   * @return the materialized value completes when the connection has closed, and fails with the
   *     failure of the stream
   */
  public static Flow<ByteString, ByteString, CompletionStage<StreamStatistics>> outgoingConnection(
      ActorRef<EngineProtocol.Command> engine, ClientOptions options) {
    ClientOptions streaming = options.withSupervision(SupervisorStrategy.stop());
    return Flow.fromGraph(
        new ConnectionStage(
            StreamLimits.of(options.connection()),
            (attach, system) -> {
              Opener.<EngineProtocol.Command, ConnectionProtocol.OpenReply>open(
                  attach,
                  system,
                  engine,
                  replyTo ->
                      new OpenComchClient(
                          Binding.name("client"),
                          streaming.withBehavior(
                              ConnectionBehavior.of(
                                  Relay.Event::new, line -> Relay.create(line, attach))),
                          replyTo));
              return null;
            }));
  }

  /**
   * Sends elements over the fast path: each element fills one buffer that the peer has posted. The
   * peer uses {@link #consumer}. A peer that posts nothing stops the upstream, without a limit.
   *
   * <p>The stream begins when the peer has a consumer, within {@code dpu.engine.open-deadline}. The
   * stream fails when the connection ends. If that consumer leaves, or a client reconnects, the
   * stream fails at its next element or at its end. Close the connection after a failure: the peer
   * receives the failure only if it takes more blocks. A supervision strategy drops no element: the
   * peer would take the rest for the whole stream.
   *
   * @param connection of a client or server, with any behavior
   * @param blocks number of blocks in flight, largest element in bytes, and kind of memory. The
   *     device and the permissions have no effect: the stream uses those of the connection
   * @return the materialized value completes when the peer has received the end and the buffers are
   *     closed. The value's counters "out" are the elements that the peer has received
   */
  public static Sink<ByteString, CompletionStage<StreamStatistics>> producer(
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<ConnectionProtocol.Command> connection,
      PoolOptions blocks) {
    return whileRuns(connection)
        .viaMat(
            TaskFlow.create(
                    blocks.count(),
                    true,
                    Elements.heap(),
                    (system, elements) ->
                        BlockProducer.open(new BlockPath(system, engine, connection, blocks)))
                .addAttributes(Failures.DROP_NOTHING),
            Keep.right())
        .to(Sink.ignore());
  }

  /** Fails when the connection ends. An idle stream has no block that fails then. */
  private static Flow<ByteString, ByteString, NotUsed> whileRuns(
      ActorRef<ConnectionProtocol.Command> connection) {
    return Flow.of(ByteString.class)
        .watch(Adapter.toClassic(connection))
        .mapError(
            WatchedActorTerminatedException.class,
            ended ->
                Failures.exception("send", DocaCode.NOT_CONNECTED, "the connection has ended"));
  }

  /**
   * Receives elements over the fast path, from one {@link #producer} of the peer. The source copies
   * a block when its downstream asks for an element, and posts its buffer again.
   *
   * @param connection of a client or server, with any behavior
   * @param blocks number of posted buffers, largest element in bytes, and kind of memory. The
   *     device and the permissions have no effect: the stream uses those of the connection
   * @return the materialized value completes when the consumer and the buffers are closed. The
   *     value fails, as the source does, if the producer fails or the connection ends
   */
  public static Source<ByteString, CompletionStage<StreamStatistics>> consumer(
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<ConnectionProtocol.Command> connection,
      PoolOptions blocks) {
    return TaskFlow.source(
        system -> BlockConsumer.open(new BlockPath(system, engine, connection, blocks)));
  }
}
