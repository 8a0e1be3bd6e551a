package io.dpuactors.testkit;

import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.LibraryChoice;
import io.dpuactors.bridge.SoftDpu;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Settings of the software DPU for a test.
 *
 * @param manualSeed the seed of a device with a manual clock; empty: hardware threads in real time
 */
record TestDevice(String profile, String faults, String quirks, OptionalLong manualSeed) {
  static final TestDevice DEFAULT = new TestDevice("full", "", "", OptionalLong.empty());

  static final SoftDpu CONTROL = SoftDpu.of(DocaLibrary.load(LibraryChoice.SOFTDPU));

  TestDevice withProfile(String name) {
    return new TestDevice(name, faults, quirks, manualSeed);
  }

  TestDevice withFaults(String plan) {
    return new TestDevice(profile, plan, quirks, manualSeed);
  }

  TestDevice withQuirks(String names) {
    return new TestDevice(profile, faults, names, manualSeed);
  }

  TestDevice withManualClock(long seed) {
    return new TestDevice(profile, faults, quirks, OptionalLong.of(seed));
  }

  /** Applies the settings. No context may be started. */
  void begin() {
    CONTROL.execution(
        manualSeed.isPresent() ? SoftDpu.Execution.INLINE : SoftDpu.Execution.THREADS);
    CONTROL.manualClock(manualSeed.isPresent());
    CONTROL.seed(manualSeed.orElse(1));
    CONTROL.profile(profile);
    CONTROL.quirks(quirks);
    CONTROL.clearFaults();
    if (!faults.isEmpty()) {
      CONTROL.faults(faults);
    }
  }

  /** Lets remaining tasks complete: no faults, no manual clock. */
  static void release() {
    CONTROL.clearFaults();
    CONTROL.quirks("");
    CONTROL.manualClock(false);
  }

  /** Returns the live objects of the software DPU by name. */
  static Map<String, Long> open() {
    Map<String, Long> open = new TreeMap<>(CONTROL.census());
    open.values().removeIf(count -> count == 0);
    return open;
  }
}
