package io.dpuactors.experiments.run;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The trials to run.
 *
 * @param modes one after the other
 * @param trials of each side, in each mode and row
 * @param programs command lines of both sides
 * @param trialLimit time limit of a trial, including the start of its program
 * @param checksum expected checksum of the content, if known
 * @param logs folder for the stderr of programs
 */
public record Plan(
    Experiment experiment,
    List<Mode> modes,
    int trials,
    Programs programs,
    Duration trialLimit,
    Optional<String> checksum,
    Path logs) {
  /** Copies the list. */
  public Plan {
    modes = List.copyOf(modes);
  }
}
