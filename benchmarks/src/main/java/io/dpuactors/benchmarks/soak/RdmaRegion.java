package io.dpuactors.benchmarks.soak;

import io.dpuactors.bridge.Buffer;
import java.nio.ByteBuffer;

/**
 * The part of the server's memory that one connection of this process uses, and the content of
 * messages and writes. Content has a number in its first 8 bytes; the other bytes follow from it.
 */
final class RdmaRegion {
  static final int BYTES = 8192;

  /** Offset of a number that only additions change. */
  static final int ADDED = 0;

  /** Offset of a number that only exchanges change. */
  static final int SWAPPED = 8;

  /** Offset of the bytes that are written and read. */
  static final int WRITTEN = 4096;

  static final int WRITTEN_BYTES = 4096;

  /** Immediate data of this process. Clients of other processes use small numbers. */
  private static final int OWN = 0x50000000;

  private static final int NUMBER = 0x0fffffff;
  private static final long FACTOR = 0x9e3779b97f4a7c15L;

  private RdmaRegion() {}

  /** Returns the immediate data of a message or a write of this process. */
  static int immediate(int number) {
    return OWN | (number & NUMBER);
  }

  /** Returns whether immediate data comes from this process. */
  static boolean isOwn(int immediate) {
    return (immediate & ~NUMBER) == OWN;
  }

  /** Returns the number in immediate data. */
  static int number(int immediate) {
    return immediate & NUMBER;
  }

  /** Fills a buffer with the content of a number. */
  static void fill(Buffer buffer, int number, int bytes) {
    put(buffer.bytes(), number, bytes);
    buffer.length(bytes);
  }

  /** Writes the content of a number to the beginning of a buffer. Number 0 has zeros only. */
  static void put(ByteBuffer into, int number, int bytes) {
    for (int i = 0; i < bytes; i += Long.BYTES) {
      into.putLong(i, word(number, i));
    }
  }

  /** Returns whether bytes in native order are the content of the number in front of them. */
  static boolean isIntact(ByteBuffer content) {
    long number = content.getLong(0);
    boolean isIntact = true;
    for (int i = 0; i < content.limit() && isIntact; i += Long.BYTES) {
      isIntact = content.getLong(i) == word(number, i);
    }
    return isIntact;
  }

  private static long word(long number, int at) {
    return at == 0 ? number : number * (FACTOR + at);
  }
}
