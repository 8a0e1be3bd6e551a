package io.dpuactors.service;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.MemoryOptions;
import io.dpuactors.bridge.RemoteMemory;
import io.dpuactors.protocol.MemoryProtocol.ImportRemoteMemory;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolFailed;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.service.RdmaMeter.MeterOptions;
import io.dpuactors.wire.RdmaOffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.jspecify.annotations.Nullable;

/** The memory of a client's tasks: first the server's memory, then local buffers. */
final class RdmaPools {
  private final MeterOptions options;
  private final ActorRef<PoolReply> replyTo;
  private final RdmaOffer offer;
  private final Deque<BufferPool> opened = new ArrayDeque<>();
  private @Nullable BufferPool remote;
  private @Nullable RdmaSlots slots;

  /** Requests the first pool. The receiver of the replies hands them to {@link #on}. */
  RdmaPools(MeterOptions options, RdmaOffer offer, ActorRef<PoolReply> replyTo) {
    this.options = options;
    this.offer = offer;
    this.replyTo = replyTo;
    options
        .engine()
        .tell(
            new ImportRemoteMemory(
                Optional.of(options.device()),
                RemoteMemory.of(offer.memory()),
                options.parallel(),
                options.owner(),
                replyTo));
  }

  /** Takes a reply. Returns why there is no memory; empty: there is, or another reply follows. */
  Optional<String> on(PoolReply reply) {
    if (reply instanceof PoolFailed failed) {
      return Optional.of(failed.error().toString());
    }
    BufferPool pool = ((PoolOpened) reply).pool();
    opened.push(pool);
    if (remote != null) {
      slots = RdmaSlots.lease(pool, remote, options.parallel());
      return slots == null ? Optional.of(TransferEnd.ENGINE_STOPS) : Optional.empty();
    }
    if (pool.bufferBytes() < Math.min(offer.begin() + offer.bytes(), Integer.MAX_VALUE)) {
      return Optional.of("the server offers memory beyond the end of its export");
    }
    remote = pool;
    PoolOptions wanted =
        PoolOptions.of(options.parallel(), Math.max(Long.BYTES, options.bytes()))
            .onDevice(options.device())
            .withMemory(MemoryOptions.defaults().withHugePages());
    options.engine().tell(new OpenPool(wanted, replyTo));
    return Optional.empty();
  }

  /** Returns the buffers of the tasks; null before the last reply. */
  @Nullable RdmaSlots slots() {
    return slots;
  }

  /** Releases the buffers that no task holds, and closes the pools. */
  void close(ActorSystem<?> system) {
    if (slots != null) {
      slots.release();
    }
    LeftPools.close(system, options.engine().narrow(), opened, open -> {});
  }
}
