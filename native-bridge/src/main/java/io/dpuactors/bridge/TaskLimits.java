package io.dpuactors.bridge;

/**
 * What a device can do with one kind of task.
 *
 * @param supported whether it can do it at all; the limits are 0 otherwise
 * @param maxBufferBytes largest source and largest destination of a task, over all buffers of a
 *     list
 * @param maxListLength most buffers that a list may chain; 1 means no lists
 */
public record TaskLimits(boolean supported, long maxBufferBytes, int maxListLength) {
  /** The device cannot do it. */
  public static final TaskLimits NONE = new TaskLimits(false, 0, 0);
}
