package io.dpuactors.service;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.wire.DataGeometry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Memory of a client for all blocks of a server. Before a server has shown memory or sent data, the
 * client touches at most {@link #MAX_UNPROVEN_BYTES}. Untouched pages of a pool take no memory.
 */
final class BlockRoom {
  /** Largest number of bytes that the client touches before the first data arrive. */
  static final long MAX_UNPROVEN_BYTES = 64L << 20;

  /** Largest number of blocks. Each block has a buffer object on the heap. */
  private static final int MAX_BLOCKS = 1 << 18;

  private final DataGeometry geometry;
  private final List<Buffer> blocks = new ArrayList<>();
  private int prepared;

  private BlockRoom(DataGeometry geometry) {
    this.geometry = geometry;
  }

  /**
   * Returns why a client makes no room for what a server announces; empty: it may.
   *
   * @param maxBytes largest number of bytes that a server may make the client allocate
   */
  static Optional<String> obstacle(DataGeometry announced, long maxBytes) {
    if (announced.blocks() > MAX_BLOCKS) {
      return Optional.of(
          "the server has %d blocks; the limit is %d".formatted(announced.blocks(), MAX_BLOCKS));
    }
    return announced.totalBytes() > maxBytes
        ? Optional.of(
            "the server has %d bytes; the limit is %d".formatted(announced.totalBytes(), maxBytes))
        : Optional.empty();
  }

  /**
   * Leases a buffer for each block and prepares all of them. Call it after the server has shown
   * that it has as much memory.
   *
   * @param pool has at least one buffer per block; all buffers are free
   */
  static BlockRoom lease(BufferPool pool, DataGeometry geometry) {
    BlockRoom room = leaseUnproven(pool, geometry);
    room.prepareRest();
    return room;
  }

  /**
   * Leases a buffer for each block and prepares at most {@link #MAX_UNPROVEN_BYTES} of them. The
   * kernel maps prepared pages before any clock runs. Prepared blocks hold wrong content.
   *
   * @param pool has at least one buffer per block; all buffers are free
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

  /** Returns whether all blocks are prepared. */
  boolean isPrepared() {
    return prepared == geometry.blocks();
  }

  /** Prepares the remaining blocks. Call it after the server has sent data. */
  void prepareRest() {
    prepare(geometry.blocks());
  }

  private void prepare(int end) {
    for (; prepared < end; prepared++) {
      byte wrong = (byte) ~DataGeometry.fill(prepared);
      BlockMemory.filled(blocks.get(prepared), geometry.blockBytes(), wrong);
    }
  }

  /** Counts the first block as prepared: it has arrived before its preparation. */
  void skipFirst() {
    prepared = Math.max(prepared, 1);
  }

  /** Returns the number of blocks. */
  int size() {
    return geometry.blocks();
  }

  Buffer block(int index) {
    return blocks.get(index);
  }

  List<Buffer> blocks(int from, int to) {
    return blocks.subList(from, to);
  }

  /** Drops buffers that a device retains. The buffers return to their pool without this object. */
  void forget(List<Buffer> retained) {
    blocks.removeAll(retained);
  }

  /** Returns the number of blocks with wrong content. */
  int countWrong() {
    int wrong = 0;
    for (int i = 0; i < blocks.size(); i++) {
      byte right = DataGeometry.fill(i);
      wrong += BlockMemory.isFilled(blocks.get(i), geometry.blockBytes(), right) ? 0 : 1;
    }
    return wrong;
  }

  /** Releases all buffers: now, or at the end of their tasks. Idempotent. */
  void release() {
    blocks.forEach(Buffer::releaseAfterTasks);
    blocks.clear();
  }
}
