package io.dpuactors.bridge.internal;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;

/** Adds the errors of a clean-up to the failure that caused it. */
final class Suppressed {
  private Suppressed() {}

  /** Adds the result of a DOCA call to a failure, unless it is SUCCESS. */
  static void add(Throwable failure, String operation, int raw) {
    if (raw != DocaCode.SUCCESS.value()) {
      failure.addSuppressed(new DocaException(DocaError.of(operation, raw, "")));
    }
  }

  /** Runs a step of a clean-up and adds its exception to a failure. */
  static void run(Throwable failure, Runnable step) {
    try {
      step.run();
    } catch (DocaException e) {
      failure.addSuppressed(e);
    }
  }
}
