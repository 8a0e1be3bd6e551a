package io.dpuactors.experiments.run;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What is to be run.
 *
 * @param modes one after the other
 * @param trials of each side, in each mode and row
 * @param programs how it is done
 * @param trialLimit how long one may take, the start of its program included
 * @param checksum what programs have to say about the content, if that is known
 * @param logs a folder for what programs say on stderr
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
