package io.dpuactors.bridge.jna;

import com.sun.jna.Pointer;

/** An array of pointers in C memory. Thread: any. */
public final class PointerArray {
  private PointerArray() {}

  /** Copies {@code count} pointers from {@code address}. */
  public static long[] copy(long address, int count) {
    return count == 0 ? new long[0] : new Pointer(address).getLongArray(0, count);
  }
}
