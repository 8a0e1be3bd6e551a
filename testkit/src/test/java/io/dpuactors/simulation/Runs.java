package io.dpuactors.simulation;

import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.LibraryChoice;
import io.dpuactors.bridge.SoftDpu;
import java.util.SplittableRandom;

/** Creates runs without a world. */
final class Runs {
  private Runs() {}

  /** Returns a run with seed 1 on the software DPU. */
  static Run of(RunControl control) {
    return of("test", control, 1, Reduction.NONE);
  }

  /** Returns a run of a scenario with seed 1. */
  static Run of(String scenario, RunControl control) {
    return of(scenario, control, 1, Reduction.NONE);
  }

  /** Returns a run with another seed. */
  static Run of(RunControl control, long seed) {
    return of("test", control, seed, Reduction.NONE);
  }

  /** Returns a smaller form of the run with seed 1. */
  static Run of(RunControl control, Reduction reduction) {
    return of("test", control, 1, reduction);
  }

  /** Returns a run of a scenario. */
  static Run of(String scenario, RunControl control, long seed, Reduction reduction) {
    SoftDpu device = SoftDpu.of(DocaLibrary.load(LibraryChoice.SOFTDPU));
    return new Run(
        scenario,
        seed,
        reduction,
        new SplittableRandom(seed),
        Pace.NONE,
        device,
        new Trace(null, new DeviceTime(device)),
        control);
  }
}
