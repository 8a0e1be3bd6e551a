package io.dpuactors.node;

import io.dpuactors.bridge.internal.NativeCells;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Memory for bytes that accompany a task: one cell each, from the submission to the record. The
 * number of cells grows to the maximum in use at once. Engine's thread.
 */
final class Outbox {
  private static final int CHUNK = 64;

  private final int bytesPerCell;
  private final List<NativeCells> chunks = new ArrayList<>();
  private int[] free = new int[0];
  private int freeCount;

  Outbox(int bytesPerCell) {
    this.bytesPerCell = bytesPerCell;
  }

  /**
   * Copies bytes into a cell, which belongs to the slot until the slot is released.
   *
   * @return the address of the copy
   * @throws IndexOutOfBoundsException if the bytes exceed a cell
   */
  long put(TaskSlot slot, byte[] bytes) {
    take(slot).put(0, bytes);
    return address(slot);
  }

  /**
   * Returns a cell, in native byte order, which belongs to the slot until the slot is released. The
   * slot has none yet.
   */
  ByteBuffer take(TaskSlot slot) {
    if (freeCount == 0) {
      grow();
    }
    int cell = free[--freeCount];
    slot.outbox = this;
    slot.cell = cell;
    return chunks.get(cell / CHUNK).view(cell % CHUNK);
  }

  /** Returns the address of the slot's cell. */
  long address(TaskSlot slot) {
    return chunks.get(slot.cell / CHUNK).address(slot.cell % CHUNK);
  }

  void release(int cell) {
    free[freeCount++] = cell;
  }

  private void grow() {
    int before = chunks.size() * CHUNK;
    chunks.add(NativeCells.allocate(CHUNK, bytesPerCell));
    free = Arrays.copyOf(free, before + CHUNK);
    for (int i = CHUNK - 1; i >= 0; i--) {
      free[freeCount++] = before + i;
    }
  }
}
