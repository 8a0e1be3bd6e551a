package io.dpuactors.bridge;

import io.dpuactors.bridge.jna.SoftDpuLibrary;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Control of the software DPU of this process, for tests and measurements; {@code softdpu.h} says
 * what each setting means. Thread: any. What says so may be changed only while no context of the
 * process is started.
 */
public final class SoftDpu {
  /** Where tasks are executed. */
  public enum Execution {
    /** On hardware threads of this process, asynchronously, in real time. */
    THREADS,
    /** Inside progress, in an order drawn from the seed, on a virtual clock: reproducible. */
    INLINE
  }

  private static final String[] CENSUS = {
    "devices",
    "representors",
    "engines",
    "contexts",
    "tasks",
    "tasksInFlight",
    "maps",
    "inventories",
    "pools",
    "buffers",
    "hardwareThreads"
  };

  private static final String[] FAULT_COUNTERS = {
    "submissions", "failed", "delayed", "again", "corrupted", "lost"
  };

  private SoftDpu() {}

  /**
   * The controls of a library.
   *
   * @throws IllegalStateException when that is not the software DPU
   */
  public static SoftDpu of(DocaLibrary library) {
    if (!library.isSoftwareDpu()) {
      throw new IllegalStateException(library.name() + " has no controls: it is no software DPU");
    }
    return new SoftDpu();
  }

  /**
   * Replaces the fault plan, at any time.
   *
   * @throws DocaException INVALID_VALUE when the plan cannot be understood; the old one stays
   */
  public void faults(String plan) {
    DocaException.check("softdpu_faults_set", SoftDpuLibrary.softdpu_faults_set(plan), plan);
  }

  /** No faults from now on, at any time. */
  public void clearFaults() {
    SoftDpuLibrary.softdpu_faults_clear();
  }

  /** What the fault plan has done since it was set. */
  public Map<String, Long> faultCounters() {
    long[] counters = new long[SoftDpuLibrary.FAULT_COUNTERS];
    SoftDpuLibrary.softdpu_faults_get_counters(counters);
    return named(FAULT_COUNTERS, counters);
  }

  /**
   * Replaces the list of quirks, at any time: what real devices were seen to do, by names such as
   * {@code Q4}, separated by commas; empty for none.
   *
   * @throws DocaException INVALID_VALUE when one is not known; the old list stays
   */
  public void quirks(String list) {
    DocaException.check("softdpu_quirks_set", SoftDpuLibrary.softdpu_quirks_set(list), list);
  }

  /** Where tasks are executed; while no context is started. */
  public void execution(Execution execution) {
    DocaException.check(
        "softdpu_set_execution",
        SoftDpuLibrary.softdpu_set_execution(execution.ordinal()),
        execution.name());
  }

  /** Begins a reproducible run; while no context is started. */
  public void seed(long seed) {
    DocaException.check(
        "softdpu_set_seed", SoftDpuLibrary.softdpu_set_seed(seed), Long.toUnsignedString(seed));
  }

  /** What the card can do: full, bluefield2 or bluefield3; while no context is started. */
  public void profile(String name) {
    DocaException.check("softdpu_set_profile", SoftDpuLibrary.softdpu_set_profile(name), name);
  }

  /** The profile in use. */
  public String profile() {
    return SoftDpuLibrary.softdpu_get_profile();
  }

  /** Number of hardware threads, 1 to 64; while no context is started. */
  public void threads(int count) {
    DocaException.check(
        "softdpu_set_threads", SoftDpuLibrary.softdpu_set_threads(count), Integer.toString(count));
  }

  /** Effort of deflate compression, 1 (fast) to 12 (small); while no context is started. */
  public void deflateLevel(int level) {
    DocaException.check(
        "softdpu_set_deflate_level",
        SoftDpuLibrary.softdpu_set_deflate_level(level),
        Integer.toString(level));
  }

  /**
   * A device that does nothing and succeeds at once, to measure all else; while no context is
   * started.
   */
  public void nullDevice(boolean enable) {
    DocaException.check(
        "softdpu_set_null",
        SoftDpuLibrary.softdpu_set_null((byte) (enable ? 1 : 0)),
        Boolean.toString(enable));
  }

  /** Nanoseconds on the device's clock. */
  public long clock() {
    return SoftDpuLibrary.softdpu_clock_now();
  }

  /**
   * Whether the virtual clock moves by {@link #advanceClock} alone; otherwise it jumps to the next
   * thing to do.
   */
  public void manualClock(boolean manual) {
    SoftDpuLibrary.softdpu_clock_set_manual((byte) (manual ? 1 : 0));
  }

  /**
   * Moves the virtual clock and wakes sleeping engines.
   *
   * @throws DocaException BAD_STATE unless execution is inline
   */
  public void advanceClock(long ns) {
    DocaException.check(
        "softdpu_clock_advance", SoftDpuLibrary.softdpu_clock_advance(ns), ns + " ns");
  }

  /**
   * Live objects of this process by name; all 0 when a program has cleaned up. Hardware threads
   * included.
   */
  public Map<String, Long> census() {
    long[] counts = new long[SoftDpuLibrary.CENSUS_MEMBERS];
    SoftDpuLibrary.softdpu_census(counts);
    return named(CENSUS, counts);
  }

  private static Map<String, Long> named(String[] names, long[] values) {
    Map<String, Long> result = new LinkedHashMap<>();
    for (int i = 0; i < names.length; i++) {
      result.put(names[i], values[i]);
    }
    return result;
  }
}
