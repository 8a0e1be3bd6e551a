package io.dpuactors.bridge;

/**
 * What also goes wrong while a failed creation is undone is told with the failure, not instead of
 * it.
 */
final class Suppressed {
  private Suppressed() {}

  /** Adds the answer of a DOCA call to a failure, unless it is SUCCESS. */
  static void add(Throwable failure, String operation, int raw) {
    if (raw != DocaCode.SUCCESS.value()) {
      failure.addSuppressed(new DocaException(DocaError.of(operation, raw, "")));
    }
  }

  /** Runs a step of undoing and adds what it throws to a failure. */
  static void run(Throwable failure, Runnable step) {
    try {
      step.run();
    } catch (DocaException e) {
      failure.addSuppressed(e);
    }
  }
}
