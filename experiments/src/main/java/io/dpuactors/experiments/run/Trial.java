package io.dpuactors.experiments.run;

import java.util.Optional;

/**
 * One trial of one side.
 *
 * @param slot which one
 * @param elapsedUs what the program measured; 0 when it failed
 * @param rateGibps what the program measured; 0 when it failed
 * @param failure what went wrong, in one line; empty when nothing did
 */
public record Trial(Slot slot, double elapsedUs, double rateGibps, Optional<String> failure) {
  /**
   * The place of a trial in an experiment. Each is run once.
   *
   * @param row its key
   * @param number from 1
   */
  public record Slot(Mode mode, String row, Side side, int number) {}

  /** Something was measured. */
  public static Trial done(Slot slot, double elapsedUs, double rateGibps) {
    return new Trial(slot, elapsedUs, rateGibps, Optional.empty());
  }

  /** Nothing was measured. */
  public static Trial failed(Slot slot, String why) {
    return new Trial(slot, 0, 0, Optional.of(why));
  }
}
