package io.dpuactors.file;

import java.time.Duration;

/**
 * What was done to a file.
 *
 * @param bytesIn size of the input
 * @param bytesOut size of the output
 * @param blocks that the file was cut into; at least 1
 * @param elapsed from opening the input to the output's appearance under its name
 */
public record FileReport(long bytesIn, long bytesOut, long blocks, Duration elapsed) {}
