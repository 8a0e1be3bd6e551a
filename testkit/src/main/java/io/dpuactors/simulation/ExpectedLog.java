package io.dpuactors.simulation;

import java.util.List;

/** Log lines that faults cause in a correct system. */
final class ExpectedLog {
  private static final List<String> PARTS =
      List.of(
          Poison.TEXT,
          "Supervisor RestartSupervisor saw failure: doca_",
          "the context stopped by itself",
          "ERROR io.dpuactors.engine.Engine: doca_", // the last restart of a context has failed
          "exception during creation, root cause message: [doca_");

  private ExpectedLog() {}

  /** Returns whether a fault explains the line. */
  static boolean matches(String line) {
    return PARTS.stream().anyMatch(line::contains);
  }
}
