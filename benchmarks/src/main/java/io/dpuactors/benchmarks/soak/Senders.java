package io.dpuactors.benchmarks.soak;

import io.dpuactors.benchmarks.soak.Ledger.Kind;
import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.DmaProtocol.Copy;
import io.dpuactors.wire.PingPong;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/**
 * Threads that send requests to the contexts of a round, one for each kind. Each thread opens its
 * context again after its end, so that most requests reach a device.
 */
final class Senders implements AutoCloseable {
  private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(200);
  private static final int MAX_OPEN = 256;
  private static final int MAX_BYTES = 16 << 10;
  private static final int PING_BYTES = 64;

  private final SoakSystem system;
  private final Ledger ledger;
  private final List<Thread> threads = new ArrayList<>();
  private volatile @Nullable RoundContexts contexts;
  private volatile boolean closed;

  Senders(SoakSystem system, Ledger ledger, SplittableRandom random) {
    this.system = system;
    this.ledger = ledger;
    for (Kind kind : Kind.values()) {
      SplittableRandom own = random.split();
      Thread thread = new Thread(() -> run(kind, own), "soak-" + kind.key());
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
  }

  /** Sends to the contexts of another round; null: to none. */
  void sendTo(@Nullable RoundContexts next) {
    contexts = next;
  }

  private void run(Kind kind, SplittableRandom random) {
    Ledger.Count count = ledger.of(kind);
    long failed = 0;
    while (!closed) {
      RoundContexts round = contexts;
      // Requests fail at once while a context ends.
      boolean hasFailed = failed != (failed = count.failed.get());
      if (round == null || hasFailed || count.open() >= MAX_OPEN || !send(kind, round, random)) {
        LockSupport.parkNanos(this, PAUSE_NS);
      }
    }
  }

  /** Returns whether a request was sent. */
  private boolean send(Kind kind, RoundContexts round, SplittableRandom random) {
    return switch (kind) {
      case COMCH -> {
        round.server().require();
        ActorRef<ConnectionProtocol.Command> client = round.client().require();
        if (client != null) {
          long tag = ledger.enter(kind, null, null);
          client.tell(new Send(PingPong.ping(PING_BYTES), tag, Optional.of(system.sent())));
        }
        yield client != null;
      }
      case COMPRESS ->
          sendTask(
              kind,
              round,
              random,
              round.compress().require(),
              (src, dst, tag) -> new Deflate(src, dst, tag, system.compressed()));
      case DMA ->
          sendTask(
              kind,
              round,
              random,
              round.dma().require(),
              (src, dst, tag) -> new Copy(src, dst, tag, system.copied()));
    };
  }

  private interface Task<C> {
    C of(Buffer src, Buffer dst, long tag);
  }

  private <C> boolean sendTask(
      Kind kind,
      RoundContexts round,
      SplittableRandom random,
      @Nullable ActorRef<C> context,
      Task<? extends C> task) {
    Buffer src = context == null ? null : lease(round.pool());
    Buffer dst = src == null ? null : lease(round.pool());
    if (context == null || src == null || dst == null) {
      if (src != null) {
        src.release();
      }
      return false;
    }
    fill(src, random);
    context.tell(task.of(src, dst, ledger.enter(kind, src, dst)));
    return true;
  }

  /** A pool that closes grants no leases. */
  private static @Nullable Buffer lease(BufferPool pool) {
    try {
      return pool.lease();
    } catch (IllegalStateException e) {
      return null;
    }
  }

  private static void fill(Buffer src, SplittableRandom random) {
    int length = 8 * (1 + random.nextInt(MAX_BYTES / 8));
    long first = random.nextLong();
    for (int i = 0; i < length; i += 8) {
      src.bytes().putLong(i, first + (i >> 5));
    }
    src.length(length);
  }

  @Override
  public void close() {
    closed = true;
    for (Thread thread : threads) {
      try {
        thread.join(TimeUnit.SECONDS.toMillis(10));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
