package io.dpuactors.bridge;

import java.util.List;

/**
 * Limits of a device for one kind of task.
 *
 * @param supported whether the device supports the kind; otherwise the limits are 0
 * @param maxBufferBytes largest source and largest destination of a task, over all buffers of a
 *     list
 * @param maxListLength longest list of buffers; 1 means no lists
 * @param variants for each variant of the kind, such as an algorithm: the number of bytes of which
 *     each part of a message but the last is a multiple; 1 for a kind without parts; 0 if the
 *     device does not support the variant. Empty for a kind without variants
 */
public record TaskLimits(
    boolean supported, long maxBufferBytes, int maxListLength, List<Integer> variants) {
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
