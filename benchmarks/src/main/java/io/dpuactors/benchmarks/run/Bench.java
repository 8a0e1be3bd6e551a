package io.dpuactors.benchmarks.run;

import io.dpuactors.benchmarks.measure.Processes;
import io.dpuactors.benchmarks.measure.Programs;
import io.dpuactors.benchmarks.measure.Progress;
import java.nio.file.Path;

/**
 * Parameters of scenarios.
 *
 * @param root the checkout
 * @param programs of both sides
 * @param trials of each side and point
 * @param quick whether the run only tests the programs
 * @param logs folder for the programs' standard error
 * @param processes starts the programs
 */
public record Bench(
    Path root,
    Programs programs,
    int trials,
    boolean quick,
    Path logs,
    Processes processes,
    Progress progress) {}
