package io.dpuactors.wire;

import java.util.Arrays;

/**
 * Number and size of the blocks of the data and the DMA service. Each byte of block {@code i} is
 * {@code i & 0xff}. The data service sends the numbers as decimal ASCII, {@code "<blocks> <block
 * size>"}, with or without a NUL at the end.
 *
 * @param blocks at least 1
 * @param blockBytes at least 1
 */
public record DataGeometry(int blocks, int blockBytes) {
  /** Name of the data service. */
  public static final String SERVICE = "shoc-data-test";

  private static final int MAX_DIGITS = 10;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a number is below 1
   */
  public DataGeometry {
    if (blocks < 1 || blockBytes < 1) {
      throw new IllegalArgumentException(
          "%d blocks of %d bytes: both must be at least 1".formatted(blocks, blockBytes));
    }
  }

  /** Returns the size of all blocks together, in bytes. */
  public long totalBytes() {
    return (long) blocks * blockBytes;
  }

  /** Returns the byte that fills block {@code index}. */
  public static byte fill(int index) {
    return (byte) index;
  }

  /**
   * Returns the text on the wire.
   *
   * @param withNul whether a NUL ends the text, as in messages of C programs
   */
  public byte[] encode(boolean withNul) {
    byte[] text = Ascii.bytes(blocks + " " + blockBytes);
    return withNul ? Arrays.copyOf(text, text.length + 1) : text;
  }

  /**
   * Reads the text: two decimal numbers with one blank between them, and an optional NUL at the
   * end.
   *
   * @throws WireException for other text, or for a number that is 0 or larger than 2^31 - 1
   */
  public static DataGeometry decode(byte[] message) throws WireException {
    int end = Ascii.length(message);
    int blank = 0;
    while (blank < end && message[blank] != ' ') {
      blank++;
    }
    return new DataGeometry(
        number(message, 0, blank), number(message, Math.min(blank + 1, end), end));
  }

  private static int number(byte[] message, int from, int to) throws WireException {
    long value = 0;
    boolean digits = to > from && to - from <= MAX_DIGITS;
    for (int i = from; digits && i < to; i++) {
      digits = message[i] >= '0' && message[i] <= '9';
      value = value * 10 + message[i] - '0';
    }
    if (!digits) {
      throw new WireException(
          "\"<blocks> <block size>\" was expected, but %s came".formatted(Ascii.quote(message)));
    }
    return inRange(value, message);
  }

  private static int inRange(long value, byte[] message) throws WireException {
    if (value < 1 || value > Integer.MAX_VALUE) {
      throw new WireException(
          "%s is out of range: both numbers must be from 1 to %d"
              .formatted(Ascii.quote(message), Integer.MAX_VALUE));
    }
    return (int) value;
  }
}
