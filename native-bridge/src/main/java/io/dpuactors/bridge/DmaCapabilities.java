package io.dpuactors.bridge;

/**
 * DMA capabilities of a device.
 *
 * @param memcpy copies from memory to memory
 * @param maxTasks largest number of tasks of one context; 0 without support
 */
public record DmaCapabilities(TaskLimits memcpy, int maxTasks) {

  /** A device without a DMA engine, or libraries without DMA. */
  public static final DmaCapabilities NONE = new DmaCapabilities(TaskLimits.NONE, 0);

  /** Returns the limits of one kind; {@link TaskLimits#NONE} for a kind of another library. */
  public TaskLimits of(TaskKind kind) {
    return kind == TaskKind.DMA_MEMCPY ? memcpy : TaskLimits.NONE;
  }

  /** Returns whether any kind is supported. */
  public boolean any() {
    return memcpy.supported();
  }
}
