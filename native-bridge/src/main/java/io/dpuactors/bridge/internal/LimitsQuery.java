package io.dpuactors.bridge.internal;

import io.dpuactors.bridge.TaskLimits;

/** Reads the limits of one kind of task from a DOCA library; each kind has different functions. */
final class LimitsQuery {
  private LimitsQuery() {}

  /** Returns SUCCESS for a supported kind. */
  interface Supported {
    int ask(long devinfo);
  }

  /** Largest source and destination. */
  interface MaxBytes {
    int ask(long devinfo, long[] bytes);
  }

  /** Longest list of buffers. */
  interface MaxList {
    int ask(long devinfo, int[] elements);
  }

  /** A kind without readable limits counts as not supported. */
  static TaskLimits ask(long devinfo, Supported supported, MaxBytes maxBytes, MaxList maxList) {
    long[] bytes = new long[1];
    int[] elements = new int[1];
    if (supported.ask(devinfo) != 0
        || maxBytes.ask(devinfo, bytes) != 0
        || maxList.ask(devinfo, elements) != 0) {
      return TaskLimits.NONE;
    }
    return new TaskLimits(true, bytes[0] < 0 ? Long.MAX_VALUE : bytes[0], clamp(elements[0]));
  }

  /** Converts an unsigned number and clamps it to Java's int. */
  static int clamp(int unsigned) {
    return unsigned < 0 ? Integer.MAX_VALUE : unsigned;
  }
}
