package io.dpuactors.simulation;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The clocks of hosts. All have the rate of the virtual time. Each has its own origin, as {@link
 * System#nanoTime} does on each machine: a time may be negative, or become the smallest {@code
 * long} after the largest. World's thread.
 */
final class HostClocks {
  private static final long MOST_NS = TimeUnit.DAYS.toNanos(1_000);

  /** A clock that begins this long before a limit passes it in many runs. */
  private static final long NEAR_NS = TimeUnit.MILLISECONDS.toNanos(10);

  private final VirtualTime time;
  private final Map<String, Long> origins = new HashMap<>();
  private SplittableRandom random = new SplittableRandom(0);
  private long ownNs;

  HostClocks(VirtualTime time) {
    this.time = time;
  }

  /**
   * Begins a run. The program's own host gets a new clock; there is no other host. The clocks take
   * no random numbers of the world, so that they do not change its order.
   */
  void begin(long seed) {
    random = new SplittableRandom(~seed);
    origins.clear();
    ownNs = drawNs();
  }

  private long drawNs() {
    return switch (random.nextInt(4)) {
      case 0 -> random.nextLong(MOST_NS);
      case 1 -> -random.nextLong(MOST_NS);
      case 2 -> -random.nextLong(NEAR_NS);
      default -> Long.MAX_VALUE - random.nextLong(NEAR_NS);
    };
  }

  /** Moves an engine to another host. The engine must not have started. */
  void move(String loop) {
    origins.put(loop, drawNs());
  }

  /** Returns the time of the program's own host, nanoseconds. */
  long nowNs() {
    return time.nowNs() + ownNs;
  }

  /** Returns the clock of an engine's host, nanoseconds. */
  LongSupplier of(String loop) {
    return () -> time.nowNs() + originNs(loop);
  }

  private long originNs(String loop) {
    return origins.getOrDefault(loop, ownNs);
  }

  /** Sets the clock of an engine's host back by the time in which the clock stood still. */
  void hold(String loop, long ns) {
    origins.put(loop, originNs(loop) - ns);
  }
}
