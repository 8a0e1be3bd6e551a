package io.dpuactors.bridge.internal;

import io.dpuactors.bridge.jna.RingLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The cells that receive copies of messages, in the order of their records. Java owns the head.
 * Thread: the engine's.
 */
final class MessageCells {
  private final ByteBuffer memory;
  private final int base;
  private final int cellBytes;

  /** Created at the first read of a cell: an engine without servers and clients needs none. */
  private final @Nullable ByteBuffer[] views;

  private int head;

  /**
   * Reads the cells' geometry from the header of the rings.
   *
   * @param base offset of the first cell
   */
  MessageCells(ByteBuffer memory, int base) {
    this.memory = memory;
    this.base = base;
    this.cellBytes = memory.getInt(RingLayout.HEADER_MESSAGE_BYTES);
    this.views = new @Nullable ByteBuffer[memory.getInt(RingLayout.HEADER_MESSAGE_CELLS)];
    this.head = memory.getInt(RingLayout.MESSAGE_HEAD);
  }

  /** Returns the oldest message. */
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

  /** Frees the cell of the oldest message. */
  void free() {
    head++;
    memory.putInt(RingLayout.MESSAGE_HEAD, head);
  }
}
