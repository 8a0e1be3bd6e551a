package io.dpuactors.testkit.device;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The hash function xxHash-32 with seed 0. */
public final class XxHash32 {
  private static final int PRIME_1 = 0x9E3779B1;
  private static final int PRIME_2 = 0x85EBCA77;
  private static final int PRIME_3 = 0xC2B2AE3D;
  private static final int PRIME_4 = 0x27D4EB2F;
  private static final int PRIME_5 = 0x165667B1;

  /** {@code PRIME_1 + PRIME_2} modulo 2^32. */
  private static final int SUM_1_2 = 0x24234428;

  private static final int STRIPE_BYTES = 16;

  private XxHash32() {}

  /** Returns the hash of a part of an array. */
  public static int of(byte[] bytes, int offset, int length) {
    ByteBuffer in = ByteBuffer.wrap(bytes, offset, length).order(ByteOrder.LITTLE_ENDIAN);
    int hash = (length >= STRIPE_BYTES ? stripes(in) : PRIME_5) + length;
    while (in.remaining() >= Integer.BYTES) {
      hash = Integer.rotateLeft(hash + in.getInt() * PRIME_3, 17) * PRIME_4;
    }
    while (in.hasRemaining()) {
      hash = Integer.rotateLeft(hash + (in.get() & 0xff) * PRIME_5, 11) * PRIME_1;
    }
    hash = (hash ^ hash >>> 15) * PRIME_2;
    hash = (hash ^ hash >>> 13) * PRIME_3;
    return hash ^ hash >>> 16;
  }

  private static int stripes(ByteBuffer in) {
    int[] lanes = {SUM_1_2, PRIME_2, 0, -PRIME_1};
    while (in.remaining() >= STRIPE_BYTES) {
      for (int i = 0; i < lanes.length; i++) {
        lanes[i] = Integer.rotateLeft(lanes[i] + in.getInt() * PRIME_2, 13) * PRIME_1;
      }
    }
    return Integer.rotateLeft(lanes[0], 1)
        + Integer.rotateLeft(lanes[1], 7)
        + Integer.rotateLeft(lanes[2], 12)
        + Integer.rotateLeft(lanes[3], 18);
  }
}
