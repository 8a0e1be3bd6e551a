package io.dpuactors.benchmarks.soak;

import java.util.SplittableRandom;

/** The requests of one kind to the contexts of a round. For the thread of their sender. */
interface Workload {
  /**
   * Sends a request. Opens contexts again that have ended.
   *
   * @return false if no request can be sent now
   */
  boolean send(SplittableRandom random);
}
