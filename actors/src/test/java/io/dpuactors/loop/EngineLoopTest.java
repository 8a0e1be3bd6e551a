package io.dpuactors.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.LibraryChoice;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the event loop; the test steps the loop where time matters. */
@ExtendWith(CleanLog.class)
class EngineLoopTest {
  private final AtomicLong clock = new AtomicLong();
  private final FakeDevice device = new FakeDevice();
  private final List<Integer> ran = new ArrayList<>();

  @Test
  void runsTasksInOrderAndABoundedNumberBetweenTwoTurnsOfTheDevice() {
    EngineLoop loop = manual(IdleMode.BUSY, 4);
    attached(loop);
    for (int i = 0; i < 10; i++) {
      int number = i;
      loop.execute(() -> ran.add(number));
    }
    loop.step();
    assertThat(ran).containsExactly(0, 1, 2, 3);
    loop.step();
    loop.step();
    assertThat(ran).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    assertThat(device.turns).isEqualTo(3 + 1);
  }

  @Test
  void oneTurnOfTheDevicePerStep() {
    EngineLoop loop = manual(IdleMode.BUSY, 64);
    attached(loop);
    int before = device.turns;
    for (int i = 0; i < 100; i++) {
      loop.step();
    }
    assertThat(device.turns - before).isEqualTo(100);
  }

  @Test
  void busyNeverSleeps() {
    EngineLoop loop = manual(IdleMode.BUSY, 64);
    attached(loop);
    for (int i = 0; i < 1000; i++) {
      loop.step();
    }
    assertThat(device.awaits).isZero();
  }

  /** An idle busy loop polls for the whole interval. A loop that has tasks to run polls once. */
  @Test
  void busyKeepsPollingWithoutWork() {
    EngineLoop loop = manual(IdleMode.BUSY, 64);
    attached(loop);
    loop.step();
    assertThat(device.lastPollNs).isEqualTo(3_000);
    loop.execute(() -> ran.add(1));
    loop.step();
    assertThat(device.lastPollNs).isZero();
    loop.step();
    assertThat(device.lastPollNs).isEqualTo(3_000);
  }

  @ParameterizedTest
  @EnumSource(
      value = IdleMode.class,
      names = {"EVENT", "ADAPTIVE"})
  void othersLookOnceATurn(IdleMode idle) {
    EngineLoop loop = manual(idle, 64);
    attached(loop);
    loop.step();
    assertThat(device.lastPollNs).isZero();
  }

  /**
   * The device decides how long it polls before it sleeps: a poll inside its wait misses no
   * wake-up.
   */
  @ParameterizedTest
  @EnumSource(
      value = IdleMode.class,
      names = {"EVENT", "ADAPTIVE"})
  void awaitsTheDeviceAsSoonAsThereIsNothingToDoAndNeverLongerThanItsBound(IdleMode idle) {
    EngineLoop loop = manual(idle, 64);
    attached(loop);
    loop.step();
    assertThat(device.awaits).isEqualTo(1);
    assertThat(device.lastTimeoutNs).isEqualTo(TimeUnit.MILLISECONDS.toNanos(5));
    loop.execute(() -> ran.add(1));
    loop.step();
    assertThat(device.awaits).isEqualTo(1);
    loop.step();
    assertThat(device.awaits).isEqualTo(2);
  }

  @Test
  void sleepsLongerEachTimeWhileTheDeviceRestsUntilSomethingHappens() {
    EngineLoop loop = manual(IdleMode.EVENT, 64);
    attached(loop);
    device.isAtRest = true;
    assertThat(sleepsMs(loop, 6)).containsExactly(5L, 10L, 20L, 40L, 50L, 50L);
    loop.execute(() -> ran.add(1));
    loop.step();
    assertThat(sleepsMs(loop, 2)).containsExactly(5L, 10L);
    device.eventNs = clock.get();
    loop.step();
    assertThat(sleepsMs(loop, 2)).containsExactly(5L, 10L);
    device.isAtRest = false;
    assertThat(sleepsMs(loop, 3)).containsExactly(5L, 5L, 5L);
    device.isAtRest = true;
    assertThat(sleepsMs(loop, 2)).containsExactly(5L, 10L);
  }

  /** An event may occur at any time without a notification: the loop must poll for it. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1, 4, 5, 6, 14, 15, 16, 36, 74, 76, 100, 1000, 1001, 1049, 1050})
  void anEventThatIsLostDelaysAndNeverHangs(long afterMs) {
    EngineLoop loop = manual(IdleMode.EVENT, 64);
    attached(loop);
    device.isAtRest = true;
    long quietSinceNs = clock.get();
    device.eventNs = quietSinceNs + TimeUnit.MILLISECONDS.toNanos(afterMs);
    while (device.events == 0) {
      assertThat(loop.counters().parks).isLessThan(100);
      loop.step();
    }
    long delayMs = TimeUnit.NANOSECONDS.toMillis(clock.get() - quietSinceNs) - afterMs;
    assertThat(delayMs).isBetween(0L, Math.min(50, afterMs + 5));
  }

  @Test
  void doesNotSleepOverATaskThatArrivedWhileItWentToSleep() {
    EngineLoop loop = manual(IdleMode.EVENT, 64);
    attached(loop);
    device.onTurn = () -> loop.execute(() -> ran.add(7));
    loop.step();
    device.onTurn = () -> {};
    assertThat(device.awaits).isZero();
    loop.step();
    assertThat(ran).containsExactly(7);
  }

  @Test
  void aBurstFromOtherThreadsCostsOneWakeUp() throws Exception {
    EngineLoop loop = manual(IdleMode.EVENT, 64);
    attached(loop);
    device.onAwait =
        () -> {
          Thread burst =
              new Thread(
                  () -> {
                    for (int i = 0; i < 1000; i++) {
                      loop.execute(() -> {});
                    }
                  });
          burst.start();
          join(burst);
        };
    loop.step();
    assertThat(device.wakes.get()).isEqualTo(1);
  }

  @Test
  void aTaskFromTheLoopsThreadNeedsNoWakeUp() {
    EngineLoop loop = manual(IdleMode.EVENT, 64);
    attached(loop);
    loop.execute(() -> loop.execute(() -> ran.add(1)));
    loop.step();
    loop.step();
    assertThat(ran).containsExactly(1);
    assertThat(device.wakes.get()).isZero();
  }

  @Test
  @ExpectedLog("blocking or long work on the engine's thread")
  void aTurnThatTakesTooLongIsCountedAndLogged() {
    EngineLoop loop = manual(IdleMode.BUSY, 64);
    attached(loop);
    loop.execute(() -> clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(150)));
    loop.step();
    assertThat(loop.counters().stalls).isEqualTo(1);
    assertThat(loop.counters().longestTurnNs).isEqualTo(TimeUnit.MILLISECONDS.toNanos(150));
  }

  @Test
  @ExpectedLog("a task failed outside of any actor")
  void aTaskThatThrowsDoesNotEndTheLoop() {
    EngineLoop loop = manual(IdleMode.BUSY, 64);
    loop.execute(
        () -> {
          throw new IllegalStateException("on purpose");
        });
    loop.execute(() -> ran.add(1));
    loop.step();
    assertThat(ran).containsExactly(1);
  }

  @Test
  void onlyItsOwnThreadMayStepAndTheMessageNamesBoth() throws Exception {
    EngineLoop loop = manual(IdleMode.BUSY, 64);
    Thread owner = new Thread(loop::step, "the-owner");
    owner.start();
    join(owner);
    assertThatThrownBy(loop::step)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the-owner")
        .hasMessageContaining(Thread.currentThread().getName());
  }

  @Test
  void drivesOneDeviceAtATime() {
    EngineLoop loop = manual(IdleMode.BUSY, 64);
    attached(loop);
    assertThatThrownBy(() -> loop.attach(new FakeDevice(), cause -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("one engine per dispatcher");
    loop.detach();
    loop.attach(new FakeDevice(), cause -> {});
  }

  @Test
  void currentIsKnownOnItsThreadOnly() throws Exception {
    EngineLoop loop = EngineLoop.start("loop-under-test", settings(IdleMode.EVENT, 64));
    AtomicInteger same = new AtomicInteger();
    CountDownLatch done = new CountDownLatch(1);
    loop.execute(
        () -> {
          same.set(EngineLoop.current() == loop ? 1 : -1);
          done.countDown();
        });
    assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(same.get()).isEqualTo(1);
    loop.shutdown();
    assertThat(loop.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    assertThatThrownBy(EngineLoop::current).hasMessageContaining("Engine.spawn");
  }

  @Test
  void finishesWhatItWasGivenBeforeItEnds() throws Exception {
    EngineLoop loop = EngineLoop.start("loop-under-test", settings(IdleMode.EVENT, 1));
    AtomicInteger count = new AtomicInteger();
    for (int i = 0; i < 1000; i++) {
      loop.execute(count::incrementAndGet);
    }
    loop.shutdown();
    assertThat(loop.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    assertThat(count.get()).isEqualTo(1000);
    assertThatThrownBy(() -> loop.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
  }

  /**
   * Many threads, no lost wake-up: every task runs although the loop sleeps as often as possible.
   */
  @Test
  void losesNoTaskAndNoWakeUpUnderStress() throws Exception {
    EngineLoop loop = EngineLoop.start("loop-under-test", longPark());
    int threads = 4;
    int each = 20_000;
    CountDownLatch done = new CountDownLatch(threads * each);
    for (int t = 0; t < threads; t++) {
      new Thread(
              () -> {
                for (int i = 0; i < each; i++) {
                  loop.execute(done::countDown);
                }
              })
          .start();
    }
    // The park bound is a minute: a single lost wake-up would outlast this wait.
    assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
    loop.shutdown();
    assertThat(loop.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
  }

  private void attached(EngineLoop loop) {
    loop.execute(() -> loop.attach(device, cause -> {}));
    loop.step();
    device.awaits = 0;
    // The step that attached the device has already run one turn.
    assertThat(device.turns).isEqualTo(1);
  }

  /** Returns the durations of the next {@code count} sleeps without a wake-up. */
  private List<Long> sleepsMs(EngineLoop loop, int count) {
    List<Long> sleeps = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int before = device.awaits;
      loop.step();
      assertThat(device.awaits).isEqualTo(before + 1);
      sleeps.add(TimeUnit.NANOSECONDS.toMillis(device.lastTimeoutNs));
    }
    return sleeps;
  }

  private EngineLoop manual(IdleMode idle, int maxRuns) {
    return new EngineLoop(
        "manual",
        settings(
            idle, maxRuns, TimeUnit.MILLISECONDS.toNanos(5), TimeUnit.MILLISECONDS.toNanos(100)),
        clock::get);
  }

  private static EngineSettings longPark() {
    return settings(IdleMode.EVENT, 64, TimeUnit.MINUTES.toNanos(1));
  }

  private static EngineSettings settings(IdleMode idle, int maxRuns) {
    return settings(idle, maxRuns, TimeUnit.MILLISECONDS.toNanos(5));
  }

  /**
   * Settings of a loop with a thread. The thread may wait long for a processor, so the stall
   * warning is off.
   */
  private static EngineSettings settings(IdleMode idle, int maxRuns, long parkNs) {
    return settings(idle, maxRuns, parkNs, TimeUnit.HOURS.toNanos(1));
  }

  private static EngineSettings settings(IdleMode idle, int maxRuns, long parkNs, long stallNs) {
    return new EngineSettings(
        LibraryChoice.SOFTDPU,
        64,
        128,
        8,
        4096,
        idle,
        20_000,
        parkNs,
        10 * parkNs,
        maxRuns,
        256,
        stallNs,
        Duration.ofSeconds(10),
        Duration.ofSeconds(10));
  }

  private static void join(Thread thread) {
    try {
      thread.join(10_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    assertThat(thread.isAlive()).isFalse();
  }

  /** A device that advances the clock during its sleep. Only {@link #wake} ends its sleep early. */
  private final class FakeDevice implements LoopDevice {
    int turns;
    int awaits;
    int events;
    long lastTimeoutNs;
    long lastPollNs;
    long eventNs = Long.MAX_VALUE;
    boolean isAtRest;
    final AtomicInteger wakes = new AtomicInteger();
    Runnable onTurn = () -> {};
    Runnable onAwait = () -> {};

    @Override
    public int turn(long nowNs, long pollNs) {
      turns++;
      lastPollNs = pollNs;
      onTurn.run();
      if (nowNs < eventNs) {
        return 0;
      }
      eventNs = Long.MAX_VALUE;
      events++;
      return 1;
    }

    @Override
    public boolean isAtRest() {
      return isAtRest;
    }

    @Override
    public void await(long timeoutNs) {
      awaits++;
      lastTimeoutNs = timeoutNs;
      clock.addAndGet(timeoutNs);
      onAwait.run();
    }

    @Override
    public void wake() {
      wakes.incrementAndGet();
    }
  }
}
