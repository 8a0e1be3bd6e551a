package io.dpuactors.benchmarks.run;

import java.nio.file.Path;

/**
 * What scenarios are run with.
 *
 * @param root the checkout
 * @param programs of both sides
 * @param trials of each side and point
 * @param quick whether it is only to be seen that everything works
 * @param logs a folder for what programs say on stderr
 */
public record Bench(
    Path root, Programs programs, int trials, boolean quick, Path logs, Observer observer) {}
