package io.dpuactors.protocol.wire;

import java.util.Arrays;

/**
 * The shape of the memory that the data and the DMA service show: so many blocks of so many bytes,
 * block {@code i} filled with the byte {@code i & 0xff}. The data service sends it as decimal
 * ASCII, {@code "<blocks> <block size>"}, with or without a NUL at the end.
 *
 * @param blocks at least 1
 * @param blockBytes at least 1
 */
public record DataGeometry(int blocks, int blockBytes) {
  /** The name that the data service is found by. */
  public static final String SERVICE = "shoc-data-test";

  private static final int MAX_DIGITS = 10;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException when one of them is below 1
   */
  public DataGeometry {
    if (blocks < 1 || blockBytes < 1) {
      throw new IllegalArgumentException(
          "%d blocks of %d bytes: both must be at least 1".formatted(blocks, blockBytes));
    }
  }

  /** All blocks together, in bytes. */
  public long totalBytes() {
    return (long) blocks * blockBytes;
  }

  /** What block {@code index} is filled with. */
  public static byte fill(int index) {
    return (byte) index;
  }

  /**
   * The text.
   *
   * @param withNul whether a NUL ends it, as in messages that C programs send
   */
  public byte[] encode(boolean withNul) {
    byte[] text = Ascii.bytes(blocks + " " + blockBytes);
    return withNul ? Arrays.copyOf(text, text.length + 1) : text;
  }

  /**
   * Reads the text: two decimal numbers with one blank between them, and nothing else but a NUL at
   * the end.
   *
   * @throws WireException when it is something else, or a number is 0 or larger than 2^31 - 1
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
