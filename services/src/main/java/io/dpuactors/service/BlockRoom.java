package io.dpuactors.service;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.wire.DataGeometry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Memory of a client for blocks of a server. */
final class BlockRoom {
  /** Largest number of blocks. Each block has a buffer object on the heap. */
  private static final int MAX_BLOCKS = 1 << 18;

  private final DataGeometry geometry;
  private final List<Buffer> blocks = new ArrayList<>();

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
   * Leases a buffer for each block and prepares all of them. The kernel maps prepared pages before
   * any clock runs. Prepared blocks hold wrong content.
   *
   * @param pool has at least one buffer per block; all buffers are free
   * @return null if the pool lends too few buffers, because its engine stops
   */
  static @Nullable BlockRoom lease(BufferPool pool, DataGeometry geometry) {
    BlockRoom room = new BlockRoom(geometry);
    for (int i = 0; i < geometry.blocks(); i++) {
      Buffer block = BlockMemory.lease(pool);
      if (block == null) {
        room.release();
        return null;
      }
      room.blocks.add(block);
    }
    room.prepare(0);
    return room;
  }

  /**
   * Overwrites all buffers with wrong content. No task has them.
   *
   * @param first index of the server's block that the first buffer receives
   */
  void prepare(int first) {
    for (int i = 0; i < blocks.size(); i++) {
      byte wrong = (byte) ~DataGeometry.fill(first + i);
      BlockMemory.overwrite(blocks.get(i), geometry.blockBytes(), wrong);
    }
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
    return countWrong(0, blocks.size());
  }

  /**
   * Returns the number of blocks with wrong content.
   *
   * @param first index of the server's block in the first buffer
   * @param end index after the last block
   */
  int countWrong(int first, int end) {
    int wrong = 0;
    for (int i = first; i < end; i++) {
      byte right = DataGeometry.fill(i);
      Buffer block = blocks.get(i - first);
      wrong += BlockMemory.isFilled(block, geometry.blockBytes(), right) ? 0 : 1;
    }
    return wrong;
  }

  /** Releases all buffers: now, or at the end of their tasks. Idempotent. */
  void release() {
    blocks.forEach(Buffer::releaseAfterTasks);
    blocks.clear();
  }
}
