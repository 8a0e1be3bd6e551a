package io.dpuactors.benchmarks.soak;

import io.dpuactors.benchmarks.soak.Ledger.Kind;
import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.DmaProtocol.Copy;
import io.dpuactors.protocol.comch.ConnectionProtocol.Send;
import io.dpuactors.wire.PingPong;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Threads that send requests to the present {@link Life}, one for each kind. */
final class Senders implements AutoCloseable {
  private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(200);
  private static final int MAX_OPEN = 1024;
  private static final int MAX_BYTES = 16 << 10;
  private static final int PING_BYTES = 64;

  private final SoakSystem system;
  private final Ledger ledger;
  private final List<Thread> threads = new ArrayList<>();
  private volatile @Nullable Life life;
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

  /** Sends to another life from now on; null: to nobody. */
  void sendTo(@Nullable Life next) {
    life = next;
  }

  private void run(Kind kind, SplittableRandom random) {
    while (!closed) {
      Life target = life;
      if (target == null || ledger.open() > MAX_OPEN || !send(kind, target, random)) {
        LockSupport.parkNanos(this, PAUSE_NS);
      }
    }
  }

  /** Returns whether a request was sent. */
  private boolean send(Kind kind, Life target, SplittableRandom random) {
    if (kind == Kind.COMCH) {
      long tag = ledger.enter(kind, null, null);
      target.client().tell(new Send(PingPong.ping(PING_BYTES), tag, Optional.of(system.sent())));
      return true;
    }
    Buffer src = lease(target.pool());
    Buffer dst = src == null ? null : lease(target.pool());
    if (src == null || dst == null) {
      if (src != null) {
        src.release();
      }
      return false;
    }
    fill(src, random);
    long tag = ledger.enter(kind, src, dst);
    if (kind == Kind.COMPRESS) {
      target.compress().tell(new Deflate(src, dst, tag, system.compressed()));
    } else {
      target.dma().tell(new Copy(src, dst, tag, system.copied()));
    }
    return true;
  }

  /** A pool that closes lends nothing. */
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
