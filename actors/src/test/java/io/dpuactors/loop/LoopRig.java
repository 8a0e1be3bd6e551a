package io.dpuactors.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.LibraryChoice;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Loops on a manual clock, which the test steps, and their device. */
final class LoopRig {
  final AtomicLong clock = new AtomicLong();
  final FakeDevice device = new FakeDevice();

  /** Returns a loop that drives the device and has run one turn. */
  EngineLoop attached(IdleMode idle, int maxRuns) {
    EngineLoop loop = manual(idle, maxRuns);
    loop.execute(() -> loop.attach(device, cause -> {}));
    loop.step();
    device.awaits = 0;
    assertThat(device.turns).isEqualTo(1);
    return loop;
  }

  /** Returns a loop without a device. */
  EngineLoop manual(IdleMode idle, int maxRuns) {
    return new EngineLoop(
        "manual",
        settings(
            idle, maxRuns, TimeUnit.MILLISECONDS.toNanos(5), TimeUnit.MILLISECONDS.toNanos(100)),
        clock::get);
  }

  static EngineSettings settings(IdleMode idle, int maxRuns) {
    return settings(idle, maxRuns, TimeUnit.MILLISECONDS.toNanos(5));
  }

  /**
   * Settings of a loop with a thread. The thread may wait long for a processor, so the stall
   * warning is off.
   */
  static EngineSettings settings(IdleMode idle, int maxRuns, long parkNs) {
    return settings(idle, maxRuns, parkNs, TimeUnit.HOURS.toNanos(1));
  }

  static EngineSettings settings(IdleMode idle, int maxRuns, long parkNs, long stallNs) {
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

  static void join(Thread thread) {
    try {
      thread.join(10_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    assertThat(thread.isAlive()).isFalse();
  }

  /** A device that advances the clock during its sleep. Only {@link #wake} ends its sleep early. */
  final class FakeDevice implements LoopDevice {
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
