package io.dpuactors.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.ManualEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests a device that fails: retries, back-off, and the report to its owner. */
@ExtendWith(CleanLog.class)
class DrivenDeviceTest {
  private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

  private final AtomicLong clock = new AtomicLong();
  private final FailingDevice device = new FailingDevice();
  private final List<Throwable> reported = new ArrayList<>();
  private final List<Integer> ran = new ArrayList<>();

  @Test
  @ExpectedLog("a wait of the device failed")
  void oneFailedWaitIsRetriedAndTheLoopContinues() {
    EngineLoop loop = attached();
    device.failingWaits = 1;
    loop.step();
    loop.execute(() -> ran.add(1));
    clock.addAndGet(MS);
    loop.step();
    loop.step();
    assertThat(ran).containsExactly(1);
    assertThat(device.waits).isEqualTo(2);
    assertThat(reported).isEmpty();
  }

  @Test
  @ExpectedLog("a wait of the device failed")
  void waitsThatFailFourTimesInARowAreReportedAndTheLoopContinues() {
    EngineLoop loop = attached();
    device.failingWaits = 4;
    for (long backoffMs : List.of(1L, 10L, 100L)) {
      loop.step();
      clock.addAndGet(backoffMs * MS);
      assertThat(reported).isEmpty();
    }
    loop.step();
    assertThat(reported).hasSize(1);
    assertThat(reported.get(0)).hasMessageContaining("4 times in a row").hasRootCause(device.cause);
    assertThat(loop.counters().deviceFailures).isEqualTo(4);
    loop.execute(() -> ran.add(1));
    loop.step();
    assertThat(ran).containsExactly(1);
    assertThat(device.waits).isEqualTo(4);
  }

  @Test
  @ExpectedLog("a turn of the device failed")
  void turnsThatFailFourTimesInARowAreReported() {
    EngineLoop loop = attached();
    device.failingTurns = 4;
    for (long backoffMs : List.of(1L, 10L, 100L)) {
      loop.execute(() -> {});
      loop.step();
      clock.addAndGet(backoffMs * MS);
      assertThat(reported).isEmpty();
    }
    loop.step();
    assertThat(reported).hasSize(1);
    assertThat(reported.get(0)).hasRootCause(device.cause);
  }

  @Test
  @ExpectedLog("a turn of the device failed")
  void mailboxesRunWhileTheDeviceIsPutOff() {
    EngineLoop loop = attached();
    int turns = device.turns;
    device.failingTurns = 1;
    loop.execute(() -> ran.add(1));
    loop.step();
    loop.execute(() -> ran.add(2));
    loop.step();
    assertThat(ran).containsExactly(1, 2);
    assertThat(device.turns).isEqualTo(turns + 1);
    clock.addAndGet(MS);
    loop.execute(() -> ran.add(3));
    loop.step();
    assertThat(device.turns).isEqualTo(turns + 2);
  }

  /** The pause is 1 ms; the wait takes 20 ms before it fails. */
  @Test
  @ExpectedLog("a wait of the device failed")
  void thePauseAfterALongWaitBeginsAtItsFailure() {
    EngineLoop loop = attached();
    device.failingWaits = 1;
    device.onWait = () -> clock.addAndGet(20 * MS);
    loop.step();
    assertThat(device.waits).isEqualTo(1);
    expectPause(loop);
  }

  /** The pause is 1 ms; the mailboxes before the turn take 20 ms. */
  @Test
  @ExpectedLog("a turn of the device failed")
  void thePauseAfterLongMailboxRunsBeginsAtTheFailureOfTheTurn() {
    EngineLoop loop = attached();
    device.failingTurns = 1;
    loop.execute(() -> clock.addAndGet(20 * MS));
    loop.step();
    assertThat(device.failingTurns).isZero();
    expectPause(loop);
  }

  private void expectPause(EngineLoop loop) {
    int turns = device.turns;
    loop.execute(() -> {});
    loop.step();
    assertThat(device.turns).isEqualTo(turns);
    clock.addAndGet(MS);
    loop.execute(() -> {});
    loop.step();
    assertThat(device.turns).isEqualTo(turns + 1);
  }

  /** A success resets the count of failures. The log has at most one line per ten seconds. */
  @Test
  @ExpectedLog(
      value = "a turn of the device failed (failure 1 in a row, 0 log lines suppressed)",
      most = 1)
  void turnsThatFailNowAndThenAreNotReportedAndFillNoLog() {
    EngineLoop loop = attached();
    for (int i = 0; i < 100; i++) {
      device.failingTurns = 1;
      loop.execute(() -> {});
      loop.step();
      clock.addAndGet(MS);
      loop.execute(() -> {});
      loop.step();
    }
    assertThat(loop.counters().deviceFailures).isEqualTo(100);
    assertThat(reported).isEmpty();
  }

  /**
   * During the back-off the driver sleeps outside native code, where the device's wake has no
   * effect.
   */
  @Test
  @ExpectedLog("a wait of the device failed")
  void aWakeUpEndsTheBackOff() {
    DrivenDevice driven =
        new DrivenDevice(
            "manual",
            device,
            ManualEngine.settings(),
            new LoopCounters(),
            clock::get,
            reported::add);
    device.failingWaits = 1;
    assertThat(driven.await(0)).isZero();
    long pauseNs = driven.await(-TimeUnit.MINUTES.toNanos(1));
    assertThat(pauseNs).isEqualTo(TimeUnit.MINUTES.toNanos(1) + MS);
    driven.wake(Thread.currentThread());
    assertTimeout(Duration.ofSeconds(10), () -> LockSupport.parkNanos(pauseNs));
    assertThat(device.wakes).isZero();
  }

  private EngineLoop attached() {
    EngineLoop loop = new EngineLoop("manual", ManualEngine.settings(), clock::get);
    loop.execute(() -> loop.attach(device, reported::add));
    loop.step();
    return loop;
  }

  /** A device without work that fails as often as the test sets. */
  private static final class FailingDevice implements LoopDevice {
    final IllegalStateException cause = new IllegalStateException("on purpose");
    int failingTurns;
    int failingWaits;
    int turns;
    int waits;
    int wakes;
    Runnable onWait = () -> {};

    @Override
    public int turn(long nowNs, long pollNs) {
      turns++;
      if (failingTurns > 0) {
        failingTurns--;
        throw cause;
      }
      return 0;
    }

    @Override
    public boolean isAtRest() {
      return false;
    }

    @Override
    public void await(long timeoutNs) {
      waits++;
      onWait.run();
      if (failingWaits > 0) {
        failingWaits--;
        throw cause;
      }
    }

    @Override
    public void wake() {
      wakes++;
    }
  }
}
