package io.dpuactors.bridge.internal;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.LeaseScope;
import io.dpuactors.bridge.PoolMemory;
import io.dpuactors.bridge.TaskBuffers;
import io.dpuactors.bridge.TaskBuffers.Pair;
import io.dpuactors.bridge.TaskBuffers.Part;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests leases that wait for a release. */
class LeaseWaitersTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final int LIMIT = 1024;

  private final Rig rig = new Rig();
  private BufferPool pool;

  @BeforeEach
  void open() {
    pool = RegisteredPool.create(rig.engine, rig.device, 2, 64);
  }

  @AfterEach
  void end() {
    pool.close();
    rig.close();
  }

  private static CompletableFuture<Buffer> future(CompletionStage<Buffer> lease) {
    return lease.toCompletableFuture();
  }

  private static Buffer get(CompletionStage<Buffer> lease) {
    return future(lease).orTimeout(10, TimeUnit.SECONDS).join();
  }

  private static DocaCode failure(CompletionStage<Buffer> lease) {
    try {
      get(lease);
      throw new AssertionError("leased");
    } catch (CompletionException e) {
      assertThat(e).hasCauseInstanceOf(DocaException.class);
      return ((DocaException) requireNonNull(e.getCause())).error().code();
    }
  }

  @Test
  void aFreeBufferIsLeasedAtOnce() {
    CompletableFuture<Buffer> lease = future(pool.leaseWithin(Duration.ZERO));
    assertThat(lease).isCompleted();
    lease.join().release();
  }

  /** A close that fails has the free buffers for a moment; its message asks for their number. */
  @Test
  void aFailedCloseServesTheCallersThatFoundNoBuffer() {
    List<CompletableFuture<Buffer>> waiting = new ArrayList<>();
    AtomicBoolean closes = new AtomicBoolean();
    AtomicReference<BufferPool> asked = new AtomicReference<>();
    PoolMemory memory =
        intercepted(
            pool.memory(),
            () -> {
              if (closes.getAndSet(false)) {
                waiting.add(future(requireNonNull(asked.get()).leaseWithin(LONG)));
              }
            });
    BufferPool other = BufferPool.of(memory);
    asked.set(other);
    Buffer leased = Rig.lease(other);
    closes.set(true);
    assertThatThrownBy(other::close).hasMessageContaining("still leased: 0");
    assertThat(waiting).singleElement().satisfies(lease -> assertThat(lease).isCompleted());
    waiting.forEach(lease -> lease.join().release());
    leased.release();
    other.close();
  }

  /** Returns the same memory, which calls an action before each count, and is never closed. */
  private static PoolMemory intercepted(PoolMemory memory, Runnable beforeCount) {
    return (PoolMemory)
        Proxy.newProxyInstance(
            PoolMemory.class.getClassLoader(),
            new Class<?>[] {PoolMemory.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("count")) {
                beforeCount.run();
              }
              return method.getName().equals("close") ? null : method.invoke(memory, arguments);
            });
  }

  @Test
  void aLimitMayBeForEver() {
    Buffer first = Rig.lease(pool);
    Buffer second = Rig.lease(pool);
    CompletableFuture<Buffer> lease = future(pool.leaseWithin(ChronoUnit.FOREVER.getDuration()));
    first.release();
    assertThat(lease).isCompleted();
    lease.join().release();
    second.release();
  }

  @Test
  void callersAreServedInOrderOfArrival() {
    Buffer first = Rig.lease(pool);
    Buffer second = Rig.lease(pool);
    CompletableFuture<Buffer> one = future(pool.leaseWithin(LONG));
    CompletableFuture<Buffer> two = future(pool.leaseWithin(LONG));
    assertThat(one).isNotDone();
    second.release();
    assertThat(one).isCompletedWithValue(second);
    assertThat(two).isNotDone();
    first.release();
    assertThat(two).isCompletedWithValue(first);
    assertThat(pool.available()).isZero();
    first.release();
    second.release();
    assertThat(pool.available()).isEqualTo(2);
  }

  @Test
  void theDeadlineEndsTheWaitAndLosesNoBuffer() {
    Buffer first = Rig.lease(pool);
    Buffer second = Rig.lease(pool);
    CompletionStage<Buffer> late = pool.leaseWithin(Duration.ofMillis(20));
    assertThat(failure(late)).isEqualTo(DocaCode.TIME_OUT);
    first.release();
    second.release();
    assertThat(pool.available()).isEqualTo(2);
  }

  @Test
  void theNumberOfWaitingCallersIsBounded() {
    Buffer first = Rig.lease(pool);
    Buffer second = Rig.lease(pool);
    List<CompletionStage<Buffer>> waiting = new ArrayList<>();
    for (int i = 0; i < LIMIT; i++) {
      waiting.add(pool.leaseWithin(LONG));
    }
    assertThat(failure(pool.leaseWithin(LONG))).isEqualTo(DocaCode.FULL);
    first.release();
    CompletionStage<Buffer> again = pool.leaseWithin(LONG);
    assertThat(future(again)).isNotDone();
    pool.stopLending();
    assertThat(failure(again)).isEqualTo(DocaCode.SHUTDOWN);
    get(waiting.get(0)).release();
    second.release();
  }

  @Test
  void aPoolThatLendsNothingFailsItsCallers() {
    Buffer first = Rig.lease(pool);
    Buffer second = Rig.lease(pool);
    CompletionStage<Buffer> waiting = pool.leaseWithin(LONG);
    pool.stopLending();
    assertThat(failure(waiting)).isEqualTo(DocaCode.SHUTDOWN);
    assertThat(failure(pool.leaseWithin(LONG))).isEqualTo(DocaCode.SHUTDOWN);
    first.release();
    second.release();
    pool.close();
    assertThat(failure(pool.leaseWithin(LONG))).isEqualTo(DocaCode.BAD_STATE);
  }

  @Test
  void aWaitingHolderOwnsItsLease() {
    LeaseScope scope = pool.scope("holder");
    Buffer first = Rig.lease(pool);
    Buffer second = Rig.lease(pool);
    CompletionStage<Buffer> lease = scope.leaseWithin(LONG);
    CompletionStage<Buffer> afterEnd = scope.leaseWithin(LONG);
    first.release();
    assertThat(get(lease)).isSameAs(first);
    assertThat(scope.held()).isEqualTo(1);
    scope.end();
    assertThat(failure(afterEnd)).isEqualTo(DocaCode.BAD_STATE);
    second.release();
    assertThat(pool.available()).isEqualTo(2);
  }

  @Test
  void callersThatReleaseAtOnceDoNotNest() {
    Buffer first = Rig.lease(pool);
    Buffer second = Rig.lease(pool);
    List<Integer> depths = new ArrayList<>();
    for (int i = 0; i < LIMIT; i++) {
      pool.leaseWithin(LONG)
          .thenAccept(
              buffer -> {
                depths.add(new Throwable().getStackTrace().length);
                buffer.release();
              });
    }
    first.release();
    assertThat(depths).hasSize(LIMIT).allMatch(depth -> depth.equals(depths.get(0)));
    second.release();
  }

  @Test
  void manyThreadsLoseNoBufferAndNoWakeUp() throws InterruptedException {
    inThreads(() -> get(pool.leaseWithin(LONG)).release());
    assertThat(pool.available()).isEqualTo(2);
  }

  /** Every second caller leases without waiting, and may hold a source while it finds no pair. */
  @Test
  void manyThreadsLoseNoPairAndNoWakeUp() throws InterruptedException {
    try (BufferPool destinations = RegisteredPool.create(rig.engine, rig.device, 1, 64)) {
      TaskBuffers pairs = TaskBuffers.of(List.of(new Part(pool, destinations)), LIMIT);
      inThreads(
          () -> {
            Pair now = pairs.lease();
            if (now != null) {
              now.release();
            }
            pairs
                .leaseWithin(LONG)
                .toCompletableFuture()
                .orTimeout(10, TimeUnit.SECONDS)
                .join()
                .release();
          });
      assertThat(pairs.available()).isEqualTo(1);
      pool.stopLending();
      assertThat(pairs.lease()).isNull();
      assertThat(pairs.leaseWithin(LONG).toCompletableFuture()).isCompletedExceptionally();
    }
  }

  private static void inThreads(Runnable step) throws InterruptedException {
    AtomicInteger served = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Thread thread =
          new Thread(
              () -> {
                for (int k = 0; k < 2_000; k++) {
                  step.run();
                  served.incrementAndGet();
                }
              });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join(60_000);
    }
    assertThat(served.get()).isEqualTo(8_000);
  }
}
