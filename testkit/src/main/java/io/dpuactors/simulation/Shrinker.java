package io.dpuactors.simulation;

import java.util.function.Predicate;

/**
 * Finds a smaller form of a failed run. Removes each disturbance, the quirks and the exceptions of
 * behaviors, if the failure does not need them. Halves the requests as often as possible.
 */
public final class Shrinker {
  /** Number of requests of the first attempt. */
  private static final int REQUESTS = 128;

  private Shrinker() {}

  /**
   * Returns the smallest reduction that fails too, perhaps for another reason.
   *
   * @param fails runs a reduction, in another process: a failed run may leave native objects
   */
  public static Reduction smallest(Predicate<Reduction> fails) {
    Reduction best = Reduction.NONE;
    for (int number = 1; number <= Reduction.THROWS; number++) {
      Reduction smaller = best.without(number);
      best = fails.test(smaller) ? smaller : best;
    }
    for (int requests = REQUESTS; requests > 0; requests /= 2) {
      Reduction smaller = best.withRequests(requests);
      if (!fails.test(smaller)) {
        break;
      }
      best = smaller;
    }
    return best;
  }
}
