package io.dpuactors.streams;

import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.RdmaClientOptions;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaListenerProtocol;
import io.dpuactors.protocol.RdmaProtocol;
import io.dpuactors.protocol.RdmaProtocol.OpenRdmaClient;
import io.dpuactors.protocol.RdmaProtocol.OpenRdmaListener;
import io.dpuactors.protocol.RdmaProtocol.PeerBehavior;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/**
 * RDMA connections as streams of messages. Both ends of a connection are streams, with the messages
 * of {@link Comch}.
 *
 * <p>Each connection opens a pool for its messages. The {@code count} of the options limits the
 * messages in flight, and the elements that the peer may send ahead of the downstream. {@code
 * bufferBytes} is the largest message. {@code bufferBytes} is at least 1,025, and at most the
 * {@code receive-bytes} of the peer's context: a longer message fails both streams with an error of
 * the device. The device is that of the context.
 *
 * <p>A message carries one byte less of an element. A longer element passes in several messages, if
 * both ends have a {@code maxElementBytes} of at least its size. The receiver keeps up to {@code
 * count} whole elements in the heap.
 */
public final class Rdma {
  private static final int MIN_MESSAGE_BYTES =
      StreamMessage.HEADER_BYTES + StreamMessage.MAX_REASON_BYTES;

  /** Limit of elements that have at most the size of a message. */
  private static final int ONE_MESSAGE = 0;

  private Rdma() {}

  /**
   * Does the same as {@link #bind(ActorRef, ActorRef, int, PoolOptions, int)} with elements of one
   * message each.
   */
  public static Source<
          IncomingConnection<RdmaConnectionProtocol.Command>,
          CompletionStage<ServerBinding<RdmaListenerProtocol.Command>>>
      bind(
          ActorRef<EngineProtocol.Command> engine,
          ActorRef<RdmaProtocol.Command> rdma,
          int port,
          PoolOptions messages) {
    return bind(engine, rdma, port, messages, ONE_MESSAGE);
  }

  /**
   * Opens a listener when the source is materialized, and emits each connection. The listener
   * stops, and its connections close, when the source is cancelled. At most {@code
   * dpu.rdma.max-connections} connections wait for the downstream; further ones close at {@code
   * dpu.engine.open-deadline}.
   *
   * @param engine the engine of the context
   * @param rdma a context without a listener
   * @param port 0 to 65535
   * @param messages memory of each connection for its messages
   * @param maxElementBytes largest element in both directions; a longer one fails both streams with
   *     INVALID_VALUE. An element of one message is never too long
   * @return the materialized value completes when clients can connect. The value fails, as the
   *     source does, with the error of the listener
   */
  public static Source<
          IncomingConnection<RdmaConnectionProtocol.Command>,
          CompletionStage<ServerBinding<RdmaListenerProtocol.Command>>>
      bind(
          ActorRef<EngineProtocol.Command> engine,
          ActorRef<RdmaProtocol.Command> rdma,
          int port,
          PoolOptions messages,
          int maxElementBytes) {
    check(messages);
    StreamLimits.Source limits = StreamLimits.of(messages, maxElementBytes);
    return Binding.source(
        config -> config.getInt("dpu.rdma.max-connections"),
        (name, connections, replyTo) ->
            rdma.tell(
                new OpenRdmaListener(
                    name,
                    port,
                    behavior(
                        engine,
                        messages,
                        (connection, line) -> Relay.create(connection, line, limits, connections)),
                    replyTo.narrow())));
  }

  /**
   * Does the same as {@link #outgoingConnection(ActorRef, ActorRef, RdmaClientOptions, PoolOptions,
   * int)} with elements of one message each.
   */
  public static Flow<ByteString, ByteString, CompletionStage<StreamStatistics>> outgoingConnection(
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<RdmaProtocol.Command> rdma,
      RdmaClientOptions options,
      PoolOptions messages) {
    return outgoingConnection(engine, rdma, options, messages, ONE_MESSAGE);
  }

  /**
   * Connects to a listener of {@link #bind} when the flow is materialized. The flow sends the
   * elements from upstream, and emits those of the listener's side. The directions end as those of
   * {@link Comch#outgoingConnection}.
   *
   * @param engine the engine of the context
   * @param rdma the context
   * @param options options of the client; the behavior and the strategy have no effect
   * @param messages memory of the connection for its messages
   * @param maxElementBytes largest element in both directions; a longer one fails both streams with
   *     INVALID_VALUE. An element of one message is never too long
   * @return the materialized value completes when the connection and its memory have closed, and
   *     fails with the failure of the stream
   */
  public static Flow<ByteString, ByteString, CompletionStage<StreamStatistics>> outgoingConnection(
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<RdmaProtocol.Command> rdma,
      RdmaClientOptions options,
      PoolOptions messages,
      int maxElementBytes) {
    check(messages);
    RdmaClientOptions streaming = options.withSupervision(SupervisorStrategy.stop());
    return Flow.fromGraph(
        new ConnectionStage(
            StreamLimits.of(messages, maxElementBytes),
            (attach, system) -> {
              Opener.<RdmaProtocol.Command, RdmaConnectionProtocol.OpenReply>open(
                  attach,
                  system,
                  rdma,
                  replyTo ->
                      new OpenRdmaClient(
                          Binding.name("client"),
                          streaming.withBehavior(
                              behavior(
                                  engine,
                                  messages,
                                  (connection, line) -> Relay.create(line, attach))),
                          replyTo));
              return null;
            }));
  }

  private static void check(PoolOptions messages) {
    if (messages.count() < 1 || messages.bufferBytes() < MIN_MESSAGE_BYTES) {
      throw new IllegalArgumentException(
          "the messages are %d of %d bytes; a stream needs at least 1 of %d"
              .formatted(messages.count(), messages.bufferBytes(), MIN_MESSAGE_BYTES));
    }
  }

  /** Returns the behavior of a connection; the second argument is the actor that sends for it. */
  private static PeerBehavior behavior(
      ActorRef<EngineProtocol.Command> engine,
      PoolOptions messages,
      BiFunction<
              ActorRef<RdmaConnectionProtocol.Command>,
              ActorRef<ConnectionProtocol.Command>,
              Behavior<Relay.Command>>
          relay) {
    return PeerBehavior.of(
        event -> new Relay.Event(RdmaLine.translated(event)),
        connection ->
            Behaviors.<Relay.Command>setup(
                context ->
                    relay.apply(
                        connection,
                        RdmaLine.spawn(context.getSystem(), engine, connection, messages))));
  }
}
