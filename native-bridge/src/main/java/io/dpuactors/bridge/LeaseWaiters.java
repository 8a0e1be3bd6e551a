package io.dpuactors.bridge;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Bounded queue of callers that wait for a lease. Each waits until a lease is free, or until its
 * deadline. Callers are served in order of arrival. No thread blocks. Thread: any.
 *
 * @param <T> the lease
 */
final class LeaseWaiters<T> {
  private final String subject;
  private final int limit;
  private final Consumer<T> release;
  private final Queue<Waiter<T>> queue = new ConcurrentLinkedQueue<>();

  /** Number of waiters; changed before a waiter tries to lease, read after a release. */
  private final AtomicInteger waiting = new AtomicInteger();

  /** About 146 years; longer limits have no number of nanoseconds. */
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE / 2);

  /** Calls of {@link #serve} that are not handled yet. Above 0, one thread serves. */
  private final AtomicInteger rounds = new AtomicInteger();

  /** Thread that leases for a waiter now. A lease that it releases meanwhile is its own. */
  private volatile @Nullable Thread taker;

  private record Waiter<T>(Supplier<@Nullable T> take, CompletableFuture<T> lease) {}

  /**
   * Creates an empty queue.
   *
   * @param subject for errors
   * @param limit largest number of waiters
   * @param release returns a lease whose waiter has ended
   */
  LeaseWaiters(String subject, int limit, Consumer<T> release) {
    this.subject = subject;
    this.limit = limit;
    this.release = release;
  }

  /**
   * Leases now or later.
   *
   * @param take leases; returns null while no lease is free
   * @return fails with a {@link DocaException}: TIME_OUT, FULL for too many waiters, SHUTDOWN after
   *     {@link #fail}, or BAD_STATE for an exception of {@code take}
   */
  CompletionStage<T> await(Supplier<@Nullable T> take, Duration within) {
    long limitNs = within.compareTo(LONGEST) < 0 ? within.toNanos() : LONGEST.toNanos();
    Waiter<T> waiter = new Waiter<>(take, new CompletableFuture<>());
    if (waiting.get() == 0 && take(waiter, null)) {
      return waiter.lease().minimalCompletionStage();
    }
    if (waiting.incrementAndGet() > limit) {
      waiting.decrementAndGet();
      return CompletableFuture.failedStage(error(DocaCode.FULL, limit + " callers wait"));
    }
    queue.add(waiter);
    limit(waiter.lease(), limitNs);
    CompletableFuture<T> result =
        waiter
            .lease()
            .whenComplete((lease, failure) -> leave(waiter, failure))
            .exceptionallyCompose(
                failure -> CompletableFuture.failedFuture(explain(failure, within)));
    serve();
    return result.minimalCompletionStage();
  }

  /** Ends the wait after its limit, by the clock of a simulation if there is one. */
  private static void limit(CompletableFuture<?> lease, long limitNs) {
    if (lease.defaultExecutor() instanceof PoolMemory.WaitLimits simulated) {
      simulated.limit(lease, limitNs);
    } else {
      lease.orTimeout(limitNs, TimeUnit.NANOSECONDS);
    }
  }

  private void leave(Waiter<T> waiter, @Nullable Throwable failure) {
    waiting.decrementAndGet();
    if (failure != null) {
      queue.remove(waiter);
    }
  }

  private Throwable explain(Throwable failure, Duration within) {
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    return cause instanceof TimeoutException
        ? error(DocaCode.TIME_OUT, "no buffer within " + within.toMillis() + " ms")
        : cause;
  }

  /** Serves waiters as far as leases are free. Call after each release. Never recurses. */
  void serve() {
    if (waiting.get() == 0 || taker == Thread.currentThread() || rounds.getAndIncrement() != 0) {
      return;
    }
    int handled = 1;
    do {
      serveAll();
      handled = rounds.addAndGet(-handled);
    } while (handled != 0);
  }

  private void serveAll() {
    Waiter<T> first = queue.peek();
    while (first != null && (first.lease().isDone() || take(first, Thread.currentThread()))) {
      queue.remove(first);
      first = queue.peek();
    }
  }

  /**
   * Returns whether the waiter has its lease or failed.
   *
   * @param server the current thread if it serves waiters
   */
  private boolean take(Waiter<T> waiter, @Nullable Thread server) {
    try {
      T lease = take(waiter.take(), server);
      if (lease == null) {
        return false;
      }
      if (!waiter.lease().complete(lease)) {
        release.accept(lease);
      }
    } catch (IllegalStateException e) {
      waiter
          .lease()
          .completeExceptionally(error(DocaCode.BAD_STATE, String.valueOf(e.getMessage())));
    }
    return true;
  }

  private @Nullable T take(Supplier<@Nullable T> source, @Nullable Thread server) {
    if (server == null) {
      return source.get();
    }
    taker = server;
    try {
      return source.get();
    } finally {
      taker = null;
    }
  }

  /** Fails all waiters: nothing is lent any more. */
  void fail() {
    queue.forEach(
        waiter ->
            waiter
                .lease()
                .completeExceptionally(error(DocaCode.SHUTDOWN, "nothing is lent any more")));
  }

  private DocaException error(DocaCode code, String why) {
    return new DocaException("lease", code, subject + ": " + why);
  }
}
