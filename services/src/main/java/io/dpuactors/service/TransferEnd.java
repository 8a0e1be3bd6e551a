package io.dpuactors.service;

import io.dpuactors.bridge.MemoryOptions;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.Subscribe;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.MemoryProtocol;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.service.Transfer.TransferFailed;
import io.dpuactors.wire.DataGeometry;
import java.time.Duration;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.ReceiveBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Client's end that receives blocks from any source. The receiver has one result, and replies at
 * the end, also if it has thrown.
 */
abstract class TransferEnd extends ConnectionEnd {
  /** Longest time without a message or blocks of the server. */
  static final Duration LIMIT = Duration.ofSeconds(30);

  /** Reason of a failure: a pool lends no buffer. */
  static final String ENGINE_STOPS = "the engine is stopping";

  private static final int CREDIT = 16;

  private enum Tick {
    LATE
  }

  private final Duration limit;
  private final ActorRef<? super Transfer> replyTo;
  private @Nullable Transfer result;

  /**
   * Creates an end that awaits the server's first message.
   *
   * @param limit longest time without a message or blocks of the server
   */
  TransferEnd(
      ActorContext<Object> context,
      ActorRef<ConnectionProtocol.Command> connection,
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<MemoryProtocol.Command> memory,
      Duration limit,
      ActorRef<? super Transfer> replyTo) {
    super(context, connection, engine, memory);
    this.limit = limit;
    this.replyTo = replyTo;
    connection.tell(new Subscribe(self(), CREDIT));
    awaitServer();
  }

  /** Returns the handlers that all transfers share. Each subclass adds its handlers. */
  final ReceiveBuilder<Object> transferring() {
    return receiving().onMessageEquals(Tick.LATE, this::onLate);
  }

  /** Fails the transfer after the limit without a message to this actor. */
  final void awaitServer() {
    getContext().setReceiveTimeout(limit, Tick.LATE);
  }

  /** Ends the wait, for steps without the server. */
  final void stopWaiting() {
    getContext().cancelReceiveTimeout();
  }

  private Behavior<Object> onLate() {
    return isStopping()
        ? this
        : fail("the server sent nothing for %d s".formatted(limit.toSeconds()));
  }

  /** Ends the transfer with a failure. The first result counts. */
  final Behavior<Object> fail(String why) {
    return end(new TransferFailed(why));
  }

  /** Ends the transfer with a failed reply. */
  final Behavior<Object> refused(String why) {
    replyReceived();
    return fail(why);
  }

  /** Requests memory for all blocks. The reply is a {@code PoolReply}. */
  final void openRoom(DataGeometry shape, Optional<String> device, MemoryOptions options) {
    requestSent();
    memory.tell(
        new OpenPool(new PoolOptions(shape.blocks(), shape.blockBytes(), device, options), self()));
  }

  /** Ends the transfer with this result, unless it has one already. */
  final Behavior<Object> end(Transfer is) {
    if (result == null) {
      result = is;
    }
    return stop();
  }

  @Override
  final Behavior<Object> lost(String why) {
    return fail(why);
  }

  @Override
  final void ended() {
    String ended = isStopping() ? "the engine has ended" : "the actor of the transfer has ended";
    replyTo.tell(result == null ? new TransferFailed(ended) : result);
  }
}
