package io.dpuactors.simulation;

import java.util.SplittableRandom;

/**
 * The virtual time that a step takes.
 *
 * @param stepNs longest ordinary step
 * @param rarity a step stalls once in this number of steps; 0: never
 * @param stallNs longest stall
 */
record Pace(int stepNs, int rarity, int stallNs) {
  /** Steps take no time. */
  static final Pace NONE = new Pace(0, 0, 0);

  private static final int SLACK_STEPS = 2_000;
  private static final int SLOWER = 4;
  private static final int[] STEPS_NS = {0, 200, 2_000, 20_000};
  private static final int[] RARITIES = {0, 100, 1_000};
  private static final int[] STALLS_NS = {100_000, 5_000_000, 50_000_000};

  /** Draws the pace of a run. */
  static Pace draw(SplittableRandom random) {
    return new Pace(
        STEPS_NS[random.nextInt(STEPS_NS.length)],
        RARITIES[random.nextInt(RARITIES.length)],
        STALLS_NS[random.nextInt(STALLS_NS.length)]);
  }

  /** Returns a time that 2000 steps need at most. */
  long slackNs() {
    long stalls = rarity == 0 ? 0 : 5 + 3L * SLACK_STEPS / rarity;
    return 1_000_000 + (long) SLACK_STEPS * stepNs + stalls * stallNs;
  }

  /** Returns a pace whose slack is the time of about four times as many steps of this one. */
  Pace slower() {
    return new Pace(SLOWER * stepNs, rarity / SLOWER, stallNs);
  }

  /** Draws the duration of a step. */
  long drawNs(SplittableRandom random) {
    if (rarity > 0 && random.nextInt(rarity) == 0) {
      return random.nextInt(stallNs);
    }
    return stepNs == 0 ? 0 : random.nextInt(stepNs);
  }
}
