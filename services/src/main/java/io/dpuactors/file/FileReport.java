package io.dpuactors.file;

import java.time.Duration;

/**
 * Result of a file.
 *
 * @param bytesIn size of the input
 * @param bytesOut size of the output
 * @param blocks number of blocks, at least 1
 * @param resumed the part of these that an earlier process has done
 * @param elapsed time from the open of the input until the output has its name
 */
public record FileReport(
    long bytesIn, long bytesOut, long blocks, Resumed resumed, Duration elapsed) {
  /**
   * The part of a file that an earlier process has done.
   *
   * @param blocks number of blocks
   * @param bytesIn their bytes in the input
   * @param bytesOut their bytes in the output
   */
  public record Resumed(long blocks, long bytesIn, long bytesOut) {
    static final Resumed NOTHING = new Resumed(0, 0, 0);
  }
}
