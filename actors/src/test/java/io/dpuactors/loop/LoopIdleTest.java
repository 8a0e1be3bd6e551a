package io.dpuactors.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.testing.CleanLog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests polls, sleeps and wake-ups of the event loop on a manual clock. */
@ExtendWith(CleanLog.class)
class LoopIdleTest {
  private final LoopRig rig = new LoopRig();
  private final List<Integer> ran = new ArrayList<>();

  @Test
  void busyNeverSleeps() {
    EngineLoop loop = rig.attached(IdleMode.BUSY, 64);
    for (int i = 0; i < 1000; i++) {
      loop.step();
    }
    assertThat(rig.device.awaits).isZero();
  }

  /** An idle busy loop polls for the whole interval. A loop that has tasks to run polls once. */
  @Test
  void busyKeepsPollingWithoutWork() {
    EngineLoop loop = rig.attached(IdleMode.BUSY, 64);
    loop.step();
    assertThat(rig.device.lastPollNs).isEqualTo(3_000);
    loop.execute(() -> ran.add(1));
    loop.step();
    assertThat(rig.device.lastPollNs).isZero();
    loop.step();
    assertThat(rig.device.lastPollNs).isEqualTo(3_000);
  }

  @ParameterizedTest
  @EnumSource(
      value = IdleMode.class,
      names = {"EVENT", "ADAPTIVE"})
  void otherModesPollOnceATurn(IdleMode idle) {
    EngineLoop loop = rig.attached(idle, 64);
    loop.step();
    assertThat(rig.device.lastPollNs).isZero();
  }

  /**
   * The device determines how long it polls before it sleeps: a poll inside its wait misses no
   * wake-up.
   */
  @ParameterizedTest
  @EnumSource(
      value = IdleMode.class,
      names = {"EVENT", "ADAPTIVE"})
  void awaitsTheDeviceAsSoonAsThereIsNothingToDoAndNeverLongerThanItsBound(IdleMode idle) {
    EngineLoop loop = rig.attached(idle, 64);
    loop.step();
    assertThat(rig.device.awaits).isEqualTo(1);
    assertThat(rig.device.lastTimeoutNs).isEqualTo(TimeUnit.MILLISECONDS.toNanos(5));
    loop.execute(() -> ran.add(1));
    loop.step();
    assertThat(rig.device.awaits).isEqualTo(1);
    loop.step();
    assertThat(rig.device.awaits).isEqualTo(2);
  }

  @Test
  void sleepsLongerEachTimeWhileTheDeviceRestsUntilSomethingHappens() {
    EngineLoop loop = rig.attached(IdleMode.EVENT, 64);
    rig.device.isAtRest = true;
    assertThat(sleepsMs(loop, 6)).containsExactly(5L, 10L, 20L, 40L, 50L, 50L);
    loop.execute(() -> ran.add(1));
    loop.step();
    assertThat(sleepsMs(loop, 2)).containsExactly(5L, 10L);
    rig.device.eventNs = rig.clock.get();
    loop.step();
    assertThat(sleepsMs(loop, 2)).containsExactly(5L, 10L);
    rig.device.isAtRest = false;
    assertThat(sleepsMs(loop, 3)).containsExactly(5L, 5L, 5L);
    rig.device.isAtRest = true;
    assertThat(sleepsMs(loop, 2)).containsExactly(5L, 10L);
  }

  /** An event may occur at any time without a notification: the loop must poll for it. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1, 4, 5, 6, 14, 15, 16, 36, 74, 76, 100, 1000, 1001, 1049, 1050})
  void anEventThatIsLostDelaysAndNeverHangs(long afterMs) {
    EngineLoop loop = rig.attached(IdleMode.EVENT, 64);
    rig.device.isAtRest = true;
    long quietSinceNs = rig.clock.get();
    rig.device.eventNs = quietSinceNs + TimeUnit.MILLISECONDS.toNanos(afterMs);
    while (rig.device.events == 0) {
      assertThat(loop.counters().parks).isLessThan(100);
      loop.step();
    }
    long delayMs = TimeUnit.NANOSECONDS.toMillis(rig.clock.get() - quietSinceNs) - afterMs;
    assertThat(delayMs).isBetween(0L, Math.min(50, afterMs + 5));
  }

  @Test
  void doesNotSleepOverATaskThatArrivedWhileItWentToSleep() {
    EngineLoop loop = rig.attached(IdleMode.EVENT, 64);
    rig.device.onTurn = () -> loop.execute(() -> ran.add(7));
    loop.step();
    rig.device.onTurn = () -> {};
    assertThat(rig.device.awaits).isZero();
    loop.step();
    assertThat(ran).containsExactly(7);
  }

  @Test
  void aBurstFromOtherThreadsCostsOneWakeUp() throws Exception {
    EngineLoop loop = rig.attached(IdleMode.EVENT, 64);
    rig.device.onAwait =
        () -> {
          Thread burst =
              new Thread(
                  () -> {
                    for (int i = 0; i < 1000; i++) {
                      loop.execute(() -> {});
                    }
                  });
          burst.start();
          LoopRig.join(burst);
        };
    loop.step();
    assertThat(rig.device.wakes.get()).isEqualTo(1);
  }

  @Test
  void aTaskFromTheLoopsThreadNeedsNoWakeUp() {
    EngineLoop loop = rig.attached(IdleMode.EVENT, 64);
    loop.execute(() -> loop.execute(() -> ran.add(1)));
    loop.step();
    loop.step();
    assertThat(ran).containsExactly(1);
    assertThat(rig.device.wakes.get()).isZero();
  }

  /**
   * Many threads, no lost wake-up: every task runs although the loop sleeps as often as possible.
   */
  @Test
  void losesNoTaskAndNoWakeUpUnderStress() throws Exception {
    EngineLoop loop =
        EngineLoop.start(
            "loop-under-test", LoopRig.settings(IdleMode.EVENT, 64, TimeUnit.MINUTES.toNanos(1)));
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

  /** Returns the durations of the next {@code count} sleeps without a wake-up. */
  private List<Long> sleepsMs(EngineLoop loop, int count) {
    List<Long> sleeps = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int before = rig.device.awaits;
      loop.step();
      assertThat(rig.device.awaits).isEqualTo(before + 1);
      sleeps.add(TimeUnit.NANOSECONDS.toMillis(rig.device.lastTimeoutNs));
    }
    return sleeps;
  }
}
