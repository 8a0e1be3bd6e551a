package io.dpuactors.benchmarks.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Threads that send requests to the contexts of a round, one for each kind. Each thread opens its
 * context again after its end, so that most requests reach a device.
 */
final class Senders implements AutoCloseable {
  private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(200);
  private static final int MAX_OPEN = 256;

  private final Ledger ledger;
  private final List<Thread> threads = new ArrayList<>();
  private volatile @Nullable RoundContexts contexts;
  private volatile boolean closed;

  Senders(Ledger ledger, SplittableRandom random) {
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
      boolean hasFailed = failed != (failed = count.failed.get() + count.unknown.get());
      if (round == null
          || hasFailed
          || count.open() >= MAX_OPEN
          || !send(round.of(kind), kind, random)) {
        LockSupport.parkNanos(this, PAUSE_NS);
      }
    }
  }

  /** Returns whether a request was sent. */
  private boolean send(Workload workload, Kind kind, SplittableRandom random) {
    try {
      return workload.send(random);
    } catch (IllegalStateException e) {
      if (e.getCause() != null) { // the memory of an ended engine is no violation
        ledger.report("%s: %s: %s".formatted(kind.key(), e.getMessage(), e.getCause()));
      }
      return false;
    }
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
