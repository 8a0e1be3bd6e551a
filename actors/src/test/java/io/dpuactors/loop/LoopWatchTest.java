package io.dpuactors.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.ManualEngine;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the report of a turn that takes too long. The test sets the clock. */
@ExtendWith(CleanLog.class)
class LoopWatchTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final AtomicLong clock = new AtomicLong();
  private final EngineLoop loop = new EngineLoop("manual", ManualEngine.settings(), clock::get);
  private final LoopWatch watch = new LoopWatch(loop, SECOND);
  private final CountDownLatch inside = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);

  @Test
  @ExpectedLog({
    "blocked-thread: a turn has lasted 1500 ms: task the-task blocks the engine's thread",
    "io.dpuactors.loop.LoopWatchTest$Blocking.run(LoopWatchTest.java"
  })
  void aTurnIsReportedWhileItLasts() throws Exception {
    Thread blocked = block();
    clock.addAndGet(SECOND);
    assertThat(watch.check(clock.get())).isFalse();
    clock.addAndGet(SECOND / 2);
    assertThat(watch.check(clock.get())).isTrue();
    release(blocked);
  }

  @Test
  @ExpectedLog("blocks the engine's thread")
  void aLongTurnIsReportedLessAndLessOften() throws Exception {
    Thread blocked = block();
    int reports = 0;
    for (int second = 0; second < 1000; second++) {
      clock.addAndGet(SECOND);
      reports += watch.check(clock.get()) ? 1 : 0;
    }
    assertThat(reports).isBetween(7, 9);
    release(blocked);
  }

  @Test
  @ExpectedLog("blocks the engine's thread")
  void manyTurnsAreReportedOnceInTenSeconds() {
    int[] reports = {0};
    for (int turn = 0; turn < 50; turn++) {
      loop.execute(
          () -> {
            clock.addAndGet(2 * SECOND);
            reports[0] += watch.check(clock.get()) ? 1 : 0;
          });
      loop.step();
    }
    assertThat(reports[0]).isEqualTo(10);
  }

  @Test
  void aLoopThatSleepsIsNotReported() {
    loop.step();
    clock.addAndGet(100 * SECOND);
    assertThat(watch.check(clock.get())).isFalse();
  }

  @Test
  void exemptWorkIsNeitherReportedNorCounted() {
    loop.execute(
        () ->
            assertThat(
                    loop.exempt(
                        () -> {
                          clock.addAndGet(TimeUnit.HOURS.toNanos(2));
                          return watch.check(clock.get());
                        }))
                .isFalse());
    loop.step();
    assertThat(loop.counters().stalls).isZero();
    assertThat(loop.counters().longestTurnNs).isZero();
  }

  /** The last message of an ending engine runs other actors, for up to the stop-deadline. */
  @Test
  void aTaskThatRunsOthersIsNoTurnThatTakesLong() {
    loop.execute(
        () -> {
          for (int i = 0; i < 10; i++) {
            clock.addAndGet(TimeUnit.MINUTES.toNanos(30));
            loop.runWaiting();
            assertThat(watch.check(clock.get())).isFalse();
          }
        });
    loop.step();
    assertThat(loop.counters().stalls).isZero();
    assertThat(loop.counters().longestTurnNs).isEqualTo(TimeUnit.MINUTES.toNanos(30));
  }

  private Thread block() throws InterruptedException {
    loop.execute(new Blocking());
    Thread thread = new Thread(loop::step, "blocked-thread");
    thread.start();
    assertThat(inside.await(10, TimeUnit.SECONDS)).isTrue();
    return thread;
  }

  private void release(Thread blocked) throws InterruptedException {
    release.countDown();
    blocked.join(TimeUnit.SECONDS.toMillis(10));
    assertThat(blocked.isAlive()).isFalse();
  }

  private final class Blocking implements Runnable {
    @Override
    public void run() {
      inside.countDown();
      try {
        assertThat(release.await(10, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public String toString() {
      return "the-task";
    }
  }
}
