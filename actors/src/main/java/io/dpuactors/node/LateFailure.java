package io.dpuactors.node;

import org.jspecify.annotations.Nullable;

/** A failure of the engine outside of its turn, which the next turn reports. Engine's thread. */
final class LateFailure {
  private @Nullable IllegalStateException unreported;

  /** Runs the call and keeps its failure. Later failures are added to the first. */
  void keepOf(Runnable call) {
    try {
      call.run();
    } catch (IllegalStateException e) {
      if (unreported == null) {
        unreported = e;
      } else {
        unreported.addSuppressed(e);
      }
    }
  }

  /** Throws the kept failure, once. */
  void report() {
    IllegalStateException failure = unreported;
    if (failure != null) {
      unreported = null;
      throw failure;
    }
  }
}
