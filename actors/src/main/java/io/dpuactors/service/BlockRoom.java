package io.dpuactors.service;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.protocol.wire.DataGeometry;
import java.util.ArrayList;
import java.util.List;

/** The memory that a client has made for all blocks of a server. */
final class BlockRoom {
  private final DataGeometry geometry;
  private final List<Buffer> blocks = new ArrayList<>();

  private BlockRoom(DataGeometry geometry) {
    this.geometry = geometry;
  }

  /**
   * Leases a buffer for each block. The memory is in place before any clock runs, and holds nothing
   * that would be right.
   *
   * @param pool all of its buffers are free, and as many as are needed
   */
  static BlockRoom lease(BufferPool pool, DataGeometry geometry) {
    BlockRoom room = new BlockRoom(geometry);
    for (int i = 0; i < geometry.blocks(); i++) {
      Buffer block = pool.lease();
      if (block == null) {
        throw new IllegalStateException(pool + " has no buffer for block " + i);
      }
      byte wrong = (byte) ~DataGeometry.fill(i);
      room.blocks.add(BlockMemory.filled(block, geometry.blockBytes(), wrong));
    }
    return room;
  }

  /** How many blocks there is room for. */
  int size() {
    return geometry.blocks();
  }

  Buffer block(int index) {
    return blocks.get(index);
  }

  List<Buffer> blocks(int from, int to) {
    return blocks.subList(from, to);
  }

  /** A device keeps these buffers; they go back by themselves. */
  void forget(List<Buffer> retained) {
    blocks.removeAll(retained);
  }

  /** How many blocks do not have the content that they should have. */
  int countWrong() {
    int wrong = 0;
    for (int i = 0; i < blocks.size(); i++) {
      byte right = DataGeometry.fill(i);
      wrong += BlockMemory.isFilled(blocks.get(i), geometry.blockBytes(), right) ? 0 : 1;
    }
    return wrong;
  }

  /** Gives all of it back. Idempotent. */
  void release() {
    blocks.forEach(Buffer::release);
    blocks.clear();
  }
}
