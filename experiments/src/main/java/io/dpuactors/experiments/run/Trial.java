package io.dpuactors.experiments.run;

import java.util.Optional;

/**
 * One trial of one side.
 *
 * @param slot its place
 * @param elapsedUs time measured by the program; 0 for a failed trial
 * @param rateGibps rate measured by the program; 0 for a failed trial
 * @param failure reason of the failure, in one line; empty on success
 */
public record Trial(Slot slot, double elapsedUs, double rateGibps, Optional<String> failure) {
  /**
   * The place of a trial in an experiment. Each is run once.
   *
   * @param row key of the row
   * @param number from 1
   */
  public record Slot(Mode mode, String row, Side side, int number) {}

  /** Creates a successful trial. */
  public static Trial done(Slot slot, double elapsedUs, double rateGibps) {
    return new Trial(slot, elapsedUs, rateGibps, Optional.empty());
  }

  /** Creates a failed trial. */
  public static Trial failed(Slot slot, String why) {
    return new Trial(slot, 0, 0, Optional.of(why));
  }
}
