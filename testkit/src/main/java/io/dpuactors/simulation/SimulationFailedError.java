package io.dpuactors.simulation;

import org.jspecify.annotations.Nullable;

/** A run of a simulation that failed. The message has the seed and the first violated promise. */
public final class SimulationFailedError extends AssertionError {
  private static final long serialVersionUID = 1L;

  private final long seed;

  SimulationFailedError(long seed, String why, @Nullable Throwable cause) {
    super("seed %d: %s".formatted(seed, why), cause);
    this.seed = seed;
  }

  /** Adds a way to repeat a failure. */
  SimulationFailedError(SimulationFailedError failure, String replay) {
    super(failure.getMessage() + System.lineSeparator() + replay, failure.getCause());
    this.seed = failure.seed;
  }

  /**
   * Returns whether an exception is a failed assumption of JUnit. Programs without tests have no
   * JUnit, so only the name identifies the type.
   */
  static boolean isAssumption(RuntimeException exception) {
    Class<?> type = exception.getClass();
    while (type != null && !type.getName().equals("org.opentest4j.TestAbortedException")) {
      type = type.getSuperclass();
    }
    return type != null;
  }

  /** Returns the seed that repeats the failure. */
  public long seed() {
    return seed;
  }
}
