package io.dpuactors.bridge;

/**
 * What a device can copy with its DMA engine.
 *
 * @param memcpy copies from memory to memory
 * @param maxTasks most tasks of one context; 0 when there are none
 */
public record DmaCapabilities(TaskLimits memcpy, int maxTasks) {

  /** A device without a DMA engine, or libraries without DMA. */
  public static final DmaCapabilities NONE = new DmaCapabilities(TaskLimits.NONE, 0);

  /** The limits of one kind; {@link TaskLimits#NONE} for a kind that is no DMA task. */
  public TaskLimits of(TaskKind kind) {
    return kind == TaskKind.DMA_MEMCPY ? memcpy : TaskLimits.NONE;
  }

  /** Whether anything is supported. */
  public boolean any() {
    return memcpy.supported();
  }
}
