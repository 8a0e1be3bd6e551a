package io.dpuactors.bridge;

import java.util.List;

/**
 * Limits of a device for one kind of task.
 *
 * @param supported whether the device supports the kind; otherwise the limits are 0
 * @param maxBufferBytes largest source and largest destination of a task, over all buffers of a
 *     list
 * @param maxListLength longest list of buffers; 1 means no lists
 * @param variants limits of each variant of the kind, by DOCA's number; empty for a kind without
 *     variants
 */
public record TaskLimits(
    boolean supported, long maxBufferBytes, int maxListLength, List<Variant> variants) {
  /**
   * Limits of a device for one variant of a kind, such as an algorithm.
   *
   * @param supported whether the device supports the variant; otherwise the limits are 0
   * @param partBytes number of bytes of which each part of a message but the last is a multiple; 1
   *     for a kind without parts
   * @param minOutputBytes size of the smallest destination; 0 if DOCA reports none
   */
  public record Variant(boolean supported, int partBytes, int minOutputBytes) {
    /** The device does not support the variant. */
    public static final Variant NONE = new Variant(false, 0, 0);
  }

  /** The device does not support the kind. */
  public static final TaskLimits NONE = new TaskLimits(false, 0, 0);

  /** Copies the list. */
  public TaskLimits {
    variants = List.copyOf(variants);
  }

  /** Limits of a kind without variants. */
  public TaskLimits(boolean supported, long maxBufferBytes, int maxListLength) {
    this(supported, maxBufferBytes, maxListLength, List.of());
  }
}
