package io.dpuactors.service;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.protocol.wire.DataGeometry;
import java.util.ArrayList;
import java.util.List;

/**
 * The memory that a client has made for all blocks of a server. A server that only says that it has
 * blocks does not make the client use more than {@link #MAX_UNPROVEN_BYTES}: pages of a pool that
 * nobody has touched take no memory.
 */
final class BlockRoom {
  /** What the client touches before the first data have come. */
  static final long MAX_UNPROVEN_BYTES = 64L << 20;

  private final DataGeometry geometry;
  private final List<Buffer> blocks = new ArrayList<>();
  private int prepared;

  private BlockRoom(DataGeometry geometry) {
    this.geometry = geometry;
  }

  /**
   * Leases a buffer for each block, and prepares all of them.
   *
   * @param pool all of its buffers are free, and as many as are needed
   */
  static BlockRoom lease(BufferPool pool, DataGeometry geometry) {
    BlockRoom room = leaseUnproven(pool, geometry);
    room.prepareRest();
    return room;
  }

  /**
   * Leases a buffer for each block, and prepares as many as a server gets on trust: their memory is
   * in place before any clock runs, and holds nothing that would be right.
   *
   * @param pool as above
   */
  static BlockRoom leaseUnproven(BufferPool pool, DataGeometry geometry) {
    BlockRoom room = new BlockRoom(geometry);
    for (int i = 0; i < geometry.blocks(); i++) {
      Buffer block = pool.lease();
      if (block == null) {
        throw new IllegalStateException(pool + " has no buffer for block " + i);
      }
      room.blocks.add(block);
    }
    room.prepare((int) Math.min(geometry.blocks(), MAX_UNPROVEN_BYTES / geometry.blockBytes()));
    return room;
  }

  /** Whether every block is prepared. */
  boolean isPrepared() {
    return prepared == geometry.blocks();
  }

  /** The server has sent data: prepares the blocks that have none yet. */
  void prepareRest() {
    prepare(geometry.blocks());
  }

  private void prepare(int end) {
    for (; prepared < end; prepared++) {
      byte wrong = (byte) ~DataGeometry.fill(prepared);
      BlockMemory.filled(blocks.get(prepared), geometry.blockBytes(), wrong);
    }
  }

  /** The first block has come without having been prepared. */
  void skipFirst() {
    prepared = Math.max(prepared, 1);
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
