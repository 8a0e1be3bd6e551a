package io.dpuactors.bridge.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.bridge.TaskKind;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgressEngineTest {
  private static final int DEVICE = 1;
  private static final int WOKEN = 2;
  private static final long LONG_NS = TimeUnit.SECONDS.toNanos(20);

  @AfterEach
  void nothingIsLeft() {
    Rig.restoreSettings();
    Rig.assertSoftDpuEmpty();
  }

  private static ProgressEngine engine() {
    return ProgressEngine.create(Rig.LIBRARY, 4, 8);
  }

  @ParameterizedTest
  @CsvSource({"3, 8", "0, 8", "4, 4", "4, 9", "131072, 262144", "-4, 8"})
  void capacitiesThatDoNotFitAreRefused(int submissions, int completions) {
    assertThatThrownBy(() -> ProgressEngine.create(Rig.LIBRARY, submissions, completions))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("dpubridge_create");
  }

  /** The cells alone take 4 GiB, and 2 GiB. */
  @ParameterizedTest
  @CsvSource({"65536, 65536", "32768, 65536"})
  void moreMemoryThanAViewShowsIsRefused(int cells, int bytes) {
    assertThatThrownBy(() -> ProgressEngine.create(Rig.LIBRARY, 4, 8, cells, bytes))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith(
            "rings and %d message cells of %d bytes take".formatted(cells, bytes))
        .hasMessageEndingWith("at most 2147483647 are possible");
  }

  @Test
  void enterWithNothingToDoReturnsZero() {
    try (ProgressEngine engine = engine()) {
      assertThat(engine.enter(10)).isZero();
      assertThat(engine.enter(0)).isZero();
      assertThat(engine.counter(Counter.ENTERS)).isEqualTo(2);
      assertThat(engine.counter(Counter.SUBMITTED)).isZero();
      assertThat(engine.library()).isSameAs(Rig.LIBRARY);
    }
  }

  @Test
  void enterKeepsToItsBudget() {
    try (Rig rig = new Rig()) {
      Rig.SOFT_DPU.execution(SoftDpu.Execution.INLINE);
      BufferPool pool = rig.pool(2, 4096);
      Buffer src = Rig.lease(pool, Inputs.text(100));
      Buffer dst = Rig.lease(pool);
      DocaContext context = rig.compress(8, TaskKind.COMPRESS_DEFLATE);
      rig.turn();
      for (int i = 0; i < 8; i++) {
        rig.offer(context, TaskKind.COMPRESS_DEFLATE, src, dst, 0);
      }
      assertThat(rig.engine.enter(3)).isLessThanOrEqualTo(3);
      rig.until(() -> rig.order().size() == 8);
      src.release();
      dst.release();
    }
  }

  @Test
  void awaitKeepsToItsBound() {
    try (ProgressEngine engine = engine()) {
      assertThat(engine.await(0, 0, 0, 0)).isZero();
      assertThat(engine.await(-5, -5, 0, 0)).isZero();
      long began = System.nanoTime();
      assertThat(
              engine.await(
                  TimeUnit.MILLISECONDS.toNanos(20), TimeUnit.MILLISECONDS.toNanos(20), 0, 0))
          .isZero();
      assertThat(System.nanoTime() - began).isBetween(TimeUnit.MILLISECONDS.toNanos(20), LONG_NS);
      assertThat(engine.counter(Counter.WAITS)).isPositive();
    }
  }

  @Test
  void aWakeBeforehandMakesTheNextAwaitReturnAtOnce() {
    try (ProgressEngine engine = engine()) {
      engine.wake();
      engine.wake();
      assertThat(engine.await(LONG_NS, LONG_NS, 0, 0)).isEqualTo(WOKEN);
      assertThat(engine.await(0, 0, 0, 0)).as("wakes coalesce").isZero();
    }
  }

  @Test
  void everyWakeOfManyThreadsIsSeen() {
    int threads = 8;
    int wakes = 200;
    try (ProgressEngine engine = engine()) {
      OnThread wakers = new OnThread();
      CountDownLatch ended = new CountDownLatch(threads);
      for (int i = 0; i < threads; i++) {
        wakers.start(
            "waker-" + i,
            () -> {
              for (int n = 0; n < wakes; n++) {
                engine.wake();
              }
              ended.countDown();
            });
      }
      while (ended.getCount() > 0) {
        engine.await(TimeUnit.MILLISECONDS.toNanos(1), TimeUnit.MILLISECONDS.toNanos(1), 0, 0);
      }
      assertThat(wakers.join()).isNull();
      engine.await(0, 0, 0, 0); // clears a wake-up left from the burst
      assertThat(engine.await(0, 0, 0, 0)).isZero();
      assertThat(OnThread.run("waker", engine::wake)).isNull();
      assertThat(engine.await(LONG_NS, LONG_NS, 0, 0)).isEqualTo(WOKEN);
    }
  }

  @Test
  void aWakeEndsASleep() {
    try (ProgressEngine engine = engine()) {
      OnThread waker = new OnThread().start("waker", engine::wake);
      assertThat(engine.await(LONG_NS, LONG_NS, 0, 0)).isEqualTo(WOKEN);
      assertThat(waker.join()).isNull();
    }
  }

  @Test
  void theDeviceEndsASleep() {
    try (Rig rig = new Rig()) {
      BufferPool pool = rig.pool(2, 4096);
      Buffer src = Rig.lease(pool, Inputs.text(100));
      Buffer dst = Rig.lease(pool);
      DocaContext context = rig.compress(1, TaskKind.COMPRESS_DEFLATE);
      rig.turn();
      long task = rig.offer(context, TaskKind.COMPRESS_DEFLATE, src, dst, 0);
      rig.engine.enter(0);
      assertThat(rig.engine.await(LONG_NS, LONG_NS, 0, 0)).isEqualTo(DEVICE);
      rig.await(task);
      src.release();
      dst.release();
    }
  }

  @Test
  void aLookEndsWithARecordOrItsBound() {
    try (Rig rig = new Rig()) {
      BufferPool pool = rig.pool(2, 4096);
      Buffer src = Rig.lease(pool, Inputs.text(100));
      Buffer dst = Rig.lease(pool);
      DocaContext context = rig.compress(1, TaskKind.COMPRESS_DEFLATE);
      rig.turn();
      assertThat(rig.engine.enterAndPoll(8, -1)).isZero();
      assertThat(rig.engine.enterAndPoll(8, TimeUnit.MILLISECONDS.toNanos(1))).isZero();
      long task = rig.offer(context, TaskKind.COMPRESS_DEFLATE, src, dst, 0);
      assertThat(rig.engine.enterAndPoll(8, LONG_NS)).isEqualTo(1);
      rig.await(task);
      assertThat(rig.engine.counter(Counter.WAITS)).isZero();
      src.release();
      dst.release();
    }
  }

  @Test
  void wakingAClosedEngineIsHarmless() {
    ProgressEngine engine = engine();
    engine.close();
    engine.close();
    assertThat(engine.isClosed()).isTrue();
    engine.wake();
    assertThatThrownBy(() -> engine.enter(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("enter: the progress engine is closed");
    assertThatThrownBy(() -> engine.await(1, 1, 0, 0)).hasMessageContaining("closed");
    assertThatThrownBy(() -> engine.submissions().free()).hasMessageContaining("closed");
    assertThatThrownBy(() -> engine.completions().size()).hasMessageContaining("closed");
    assertThatThrownBy(() -> engine.counter(Counter.ENTERS)).hasMessageContaining("closed");
  }

  @Test
  void wakesMayRaceWithClose() {
    for (int round = 0; round < 100; round++) {
      ProgressEngine engine = engine();
      AtomicBoolean stop = new AtomicBoolean();
      CountDownLatch waking = new CountDownLatch(2);
      OnThread wakers = new OnThread();
      for (int i = 0; i < 2; i++) {
        wakers.start(
            "waker-" + i,
            () -> {
              waking.countDown();
              while (!stop.get()) {
                engine.wake();
              }
            });
      }
      engine.await(LONG_NS, LONG_NS, 0, 0);
      engine.close();
      stop.set(true);
      assertThat(wakers.join()).isNull();
    }
  }

  @Test
  void anEngineWithContextsDoesNotClose() {
    try (Rig rig = new Rig()) {
      DocaContext context = rig.compress(1, TaskKind.COMPRESS_DEFLATE);
      assertThatThrownBy(rig.engine::close)
          .isInstanceOf(DocaException.class)
          .hasMessageContaining("dpubridge_destroy: DOCA_ERROR_IN_USE (3)")
          .hasMessageContaining("1 contexts are still attached");
      assertThat(rig.engine.isClosed()).isFalse();
      assertThat(context.state()).isEqualTo(ContextState.RUNNING);
      rig.engine.wake();
      assertThat(rig.engine.await(LONG_NS, LONG_NS, 0, 0) & WOKEN).isEqualTo(WOKEN);
    }
  }
}
