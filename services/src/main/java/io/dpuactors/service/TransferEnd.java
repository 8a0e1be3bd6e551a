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
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.jspecify.annotations.Nullable;

/**
 * Client's end that receives blocks from any source. The receiver has one result, and replies at
 * the end, also if it has thrown.
 */
abstract class TransferEnd extends ConnectionEnd {
  private static final int CREDIT = 16;

  private final ActorRef<? super Transfer> replyTo;
  private @Nullable Transfer result;

  TransferEnd(
      ActorContext<Object> context,
      ActorRef<ConnectionProtocol.Command> connection,
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<MemoryProtocol.Command> memory,
      ActorRef<? super Transfer> replyTo) {
    super(context, connection, engine, memory);
    this.replyTo = replyTo;
    connection.tell(new Subscribe(self(), CREDIT));
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
