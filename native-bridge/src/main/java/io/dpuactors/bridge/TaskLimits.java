package io.dpuactors.bridge;

/**
 * Limits of a device for one kind of task.
 *
 * @param supported whether the device supports the kind; otherwise the limits are 0
 * @param maxBufferBytes largest source and largest destination of a task, over all buffers of a
 *     list
 * @param maxListLength longest list of buffers; 1 means no lists
 */
public record TaskLimits(boolean supported, long maxBufferBytes, int maxListLength) {
  /** The device does not support the kind. */
  public static final TaskLimits NONE = new TaskLimits(false, 0, 0);
}
