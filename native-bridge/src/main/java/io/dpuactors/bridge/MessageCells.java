package io.dpuactors.bridge;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The cells that the bridge copies received messages into, in the order of their records. This side
 * owns the head. Thread: the engine's.
 */
final class MessageCells {
  private final ByteBuffer memory;
  private final int base;
  private final int cellBytes;

  /** Made when a cell is first read: an engine without servers and clients never does. */
  private final @Nullable ByteBuffer[] views;

  private int head;

  /**
   * Cells as the header of the rings tells them.
   *
   * @param base where the first one is
   */
  MessageCells(ByteBuffer memory, int base) {
    this.memory = memory;
    this.base = base;
    this.cellBytes = memory.getInt(RingLayout.HEADER_MESSAGE_BYTES);
    this.views = new @Nullable ByteBuffer[memory.getInt(RingLayout.HEADER_MESSAGE_CELLS)];
    this.head = memory.getInt(RingLayout.MESSAGE_HEAD);
  }

  /** The oldest message. */
  ByteBuffer current(int length) {
    int cell = head & (views.length - 1);
    ByteBuffer view = views[cell];
    if (view == null) {
      view = memory.slice(base + cell * cellBytes, cellBytes).asReadOnlyBuffer();
      view.order(ByteOrder.nativeOrder());
      views[cell] = view;
    }
    return view.position(0).limit(length);
  }

  /** The oldest message was read. */
  void free() {
    head++;
    memory.putInt(RingLayout.MESSAGE_HEAD, head);
  }
}
