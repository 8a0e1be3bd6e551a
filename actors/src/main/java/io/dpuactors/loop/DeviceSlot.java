package io.dpuactors.loop;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The device of a loop, or none. A loop without a device only runs tasks. All methods but {@link
 * #wake} belong to the loop's thread.
 */
final class DeviceSlot {
  private final String loop;
  private final LoopCounters counters;
  private final LongSupplier clock;
  private volatile @Nullable DrivenDevice device;

  DeviceSlot(String loop, LoopCounters counters, LongSupplier clock) {
    this.loop = loop;
    this.counters = counters;
    this.clock = clock;
  }

  /** Attaches a device; see {@link EngineLoop#attach}. */
  void attach(LoopDevice newDevice, EngineSettings settings, Consumer<Throwable> owner) {
    if (device != null) {
      throw new IllegalStateException(
          "loop " + loop + " already drives a device: one engine per dispatcher");
    }
    device =
        new DrivenDevice(
            loop,
            newDevice,
            settings,
            counters,
            clock,
            cause -> {
              device = null;
              owner.accept(cause);
            });
  }

  void detach() {
    device = null;
  }

  /** Returns the time until the device's next turn; without a device, the longest time. */
  long untilDueNs(long nowNs) {
    DrivenDevice current = device;
    return current == null ? Long.MAX_VALUE : current.untilDueNs(nowNs);
  }

  void begin(long nowNs) {
    DrivenDevice current = device;
    if (current != null) {
      current.begin(nowNs);
    }
  }

  /** Runs one turn of the device. Returns the number of events. */
  int turn(long nowNs, long pollNs) {
    DrivenDevice current = device;
    return current == null ? 0 : current.turn(nowNs, pollNs);
  }

  void beginRest() {
    DrivenDevice current = device;
    if (current != null) {
      current.beginRest();
    }
  }

  /**
   * Sleeps until an event of the device or {@link #wake}.
   *
   * @param parkNs longest sleep of a loop without a device
   * @return time for which the thread has to park instead; 0 after a sleep
   */
  long await(long nowNs, long parkNs) {
    DrivenDevice current = device;
    return current == null ? parkNs : current.await(nowNs);
  }

  /** Ends {@link #await} on this thread. Any thread. */
  void wake(@Nullable Thread owner) {
    DrivenDevice current = device;
    if (current == null) {
      LockSupport.unpark(owner);
    } else {
      current.wake(owner);
    }
  }
}
