package io.dpuactors.file;

import java.time.Duration;

/**
 * Result of a file.
 *
 * @param bytesIn size of the input
 * @param bytesOut size of the output
 * @param blocks number of blocks, at least 1
 * @param elapsed time from the open of the input until the output has its name
 */
public record FileReport(long bytesIn, long bytesOut, long blocks, Duration elapsed) {}
