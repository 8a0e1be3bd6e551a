package io.dpuactors.benchmarks.run;

import java.nio.file.Path;

/**
 * Parameters of scenarios.
 *
 * @param root the checkout
 * @param programs of both sides
 * @param trials of each side and point
 * @param quick whether the run only shows that everything works
 * @param logs folder for the programs' standard error
 */
public record Bench(
    Path root, Programs programs, int trials, boolean quick, Path logs, Observer observer) {}
