package io.dpuactors.bridge;

import io.dpuactors.bridge.jna.SoftDpuLibrary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Control of this process's software DPU, for tests and measurements. {@code softdpu.h} describes
 * each setting. Thread: any. Some settings may change only while the process has no started
 * context.
 */
public final class SoftDpu {
  /** Where the device executes tasks. */
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
    "submissions", "failed", "delayed", "again", "corrupted", "lost", "doubled"
  };

  /** Largest number of rules of a fault plan. */
  private static final int MAX_RULES = 64;

  private SoftDpu() {}

  /**
   * Returns the control of a library.
   *
   * @throws IllegalStateException if the library is not the software DPU
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
   * @throws DocaException INVALID_VALUE for an invalid plan; the previous one stays
   */
  public void faults(String plan) {
    DocaException.check("softdpu_faults_set", SoftDpuLibrary.softdpu_faults_set(plan), plan);
  }

  /** Removes all faults, at any time. */
  public void clearFaults() {
    SoftDpuLibrary.softdpu_faults_clear();
  }

  /** Returns the effects of the fault plan since it was set. */
  public Map<String, Long> faultCounters() {
    long[] counters = new long[SoftDpuLibrary.FAULT_COUNTERS];
    SoftDpuLibrary.softdpu_faults_get_counters(counters);
    return named(FAULT_COUNTERS, counters);
  }

  /** Returns how often each rule of the fault plan has fired since the plan was set. */
  public long[] firedRules() {
    long[] fired = new long[MAX_RULES];
    int rules = SoftDpuLibrary.softdpu_faults_get_fired(fired, MAX_RULES);
    return Arrays.copyOf(fired, rules);
  }

  /**
   * Replaces the list of quirks, at any time. A quirk is an observed behavior of real devices, with
   * a name such as {@code Q4}; commas separate the names; an empty list disables all.
   *
   * @throws DocaException INVALID_VALUE for an unknown name; the previous list stays
   */
  public void quirks(String list) {
    DocaException.check("softdpu_quirks_set", SoftDpuLibrary.softdpu_quirks_set(list), list);
  }

  /** Chooses where tasks are executed; only without a started context. */
  public void execution(Execution execution) {
    DocaException.check(
        "softdpu_set_execution",
        SoftDpuLibrary.softdpu_set_execution(execution.ordinal()),
        execution.name());
  }

  /** Sets the seed of a reproducible run; only without a started context. */
  public void seed(long seed) {
    DocaException.check(
        "softdpu_set_seed", SoftDpuLibrary.softdpu_set_seed(seed), Long.toUnsignedString(seed));
  }

  /** Chooses the card: full, bluefield2 or bluefield3; only without a started context. */
  public void profile(String name) {
    DocaException.check("softdpu_set_profile", SoftDpuLibrary.softdpu_set_profile(name), name);
  }

  /** Returns the current profile. */
  public String profile() {
    return SoftDpuLibrary.softdpu_get_profile();
  }

  /** Sets the number of hardware threads, 1 to 64; only without a started context. */
  public void threads(int count) {
    DocaException.check(
        "softdpu_set_threads", SoftDpuLibrary.softdpu_set_threads(count), Integer.toString(count));
  }

  /**
   * Sets the effort of deflate compression, 1 (fast) to 12 (small); only without a started context.
   */
  public void deflateLevel(int level) {
    DocaException.check(
        "softdpu_set_deflate_level",
        SoftDpuLibrary.softdpu_set_deflate_level(level),
        Integer.toString(level));
  }

  /**
   * Enables a device that completes every task at once and does nothing, to measure the rest; only
   * without a started context.
   */
  public void nullDevice(boolean enable) {
    DocaException.check(
        "softdpu_set_null",
        SoftDpuLibrary.softdpu_set_null((byte) (enable ? 1 : 0)),
        Boolean.toString(enable));
  }

  /** Returns the device's clock in nanoseconds. */
  public long clock() {
    return SoftDpuLibrary.softdpu_clock_now();
  }

  /**
   * Chooses whether only {@link #advanceClock} moves the virtual clock; otherwise the clock jumps
   * to the next event.
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
    int result = SoftDpuLibrary.softdpu_clock_advance(ns);
    if (result != DocaCode.SUCCESS.value()) { // the text would cost as much as the call
      DocaException.check("softdpu_clock_advance", result, ns + " ns");
    }
  }

  /**
   * Returns the virtual time of the next action of inline execution, nanoseconds on {@link #clock};
   * empty if no task waits. Thread: the one thread of all progress engines.
   */
  public OptionalLong nextAction() {
    long next = SoftDpuLibrary.softdpu_clock_get_next();
    return next == -1 ? OptionalLong.empty() : OptionalLong.of(next);
  }

  /**
   * Makes the calling thread act for a host from now on, at first 0. Progress engines, exported
   * memory and exported sync events belong to the host of the thread that creates or exports them.
   *
   * @return the previous host of the thread
   */
  public int enterHost(int host) {
    return SoftDpuLibrary.softdpu_enter_host(host);
  }

  /**
   * Kills a host. Its peers see the end of its process: connections and exports end at once. The
   * objects of the host stay until the program closes them. Contexts fail in the next turn of their
   * engine. Thread: that of the host's engines, outside of their turns.
   *
   * @return false, without an effect, if the host has no progress engine
   */
  public boolean killHost(int host) {
    int result = SoftDpuLibrary.softdpu_kill_host(host);
    if (result == DocaCode.NOT_FOUND.value()) {
      return false;
    }
    DocaException.check("softdpu_kill_host", result, Integer.toString(host));
    return true;
  }

  /**
   * Chooses whether the device refuses calls on destroyed objects, and calls outside the turn of
   * the host that an object belongs to. It knows the objects that are created afterwards.
   *
   * @throws DocaException BAD_STATE unless execution is inline
   */
  public void strict(boolean enable) {
    DocaException.check(
        "softdpu_set_strict",
        SoftDpuLibrary.softdpu_set_strict((byte) (enable ? 1 : 0)),
        Boolean.toString(enable));
  }

  /**
   * Chooses whether the device keeps the names of native calls, for {@link #takeCalls}.
   *
   * @throws DocaException BAD_STATE unless execution is inline
   */
  public void traceCalls(boolean enable) {
    DocaException.check(
        "softdpu_set_call_trace",
        SoftDpuLibrary.softdpu_set_call_trace((byte) (enable ? 1 : 0)),
        Boolean.toString(enable));
  }

  /** Removes and returns the calls since the last call of this method, the oldest first. */
  public List<String> takeCalls() {
    List<String> calls = new ArrayList<>();
    String call = SoftDpuLibrary.softdpu_take_call();
    while (call != null) {
      calls.add(call);
      call = SoftDpuLibrary.softdpu_take_call();
    }
    return calls;
  }

  /** Returns the first refused call since {@link #strict} or {@link #seed}; empty: none. */
  public Optional<String> wrongCall() {
    return Optional.ofNullable(SoftDpuLibrary.softdpu_get_wrong_call());
  }

  /**
   * Returns the live objects of this process by name, hardware threads included. All are 0 after a
   * complete cleanup.
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
