package io.dpuactors.service;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.wire.DataGeometry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Batches of receives for all blocks of a server, in memory for at most 64 MiB of them. If the
 * server has more, later batches use the same memory again. A consumer has one memory map, so its
 * memory cannot grow after the first block has arrived.
 */
final class BlockRing {
  /** Largest number of bytes that a server can make a client reserve and register. */
  static final int MAX_BYTES = 64 << 20;

  /**
   * Largest number of blocks in a batch. With one batch posted, the device waits for the receiver
   * between batches.
   */
  private static final int MAX_BATCH = 256;

  private final BlockRoom room;
  private final List<TaskBatch> batches = new ArrayList<>();

  /** Number of batches that cover the memory. */
  private final int parts;

  private int nextPart;
  private int taken;

  private BlockRing(BlockRoom room) {
    this.room = room;
    int each = Math.min(MAX_BATCH, (room.size() + 1) / 2);
    for (int from = 0; from < room.size(); from += each) {
      batches.add(TaskBatch.ofReceives(room.blocks(from, Math.min(room.size(), from + each))));
    }
    parts = batches.size();
  }

  /**
   * Leases and prepares the memory.
   *
   * @param pool of the shape {@link #memory}; all buffers are free
   * @return null if the pool lends too few buffers, because its engine stops
   */
  static @Nullable BlockRing lease(BufferPool pool, DataGeometry all) {
    BlockRoom room = BlockRoom.lease(pool, memory(all));
    return room == null ? null : new BlockRing(room);
  }

  /** Returns why a client has no memory for one of these blocks; empty: it has. */
  static Optional<String> obstacle(DataGeometry announced) {
    return announced.blockBytes() > MAX_BYTES
        ? Optional.of(
            "the server has blocks of %d bytes; the limit is %d"
                .formatted(announced.blockBytes(), MAX_BYTES))
        : Optional.empty();
  }

  /** Returns the number and the size of the blocks in memory at a time. */
  static DataGeometry memory(DataGeometry all) {
    return new DataGeometry(Math.min(all.blocks(), MAX_BYTES / all.blockBytes()), all.blockBytes());
  }

  /** Returns the number of batches that may be posted at a time. */
  int parts() {
    return parts;
  }

  /** Returns the number of blocks in memory at a time. */
  int size() {
    return room.size();
  }

  /**
   * Returns the next batch to post, or null after the last. At most {@link #parts} batches are
   * posted.
   *
   * @param end index after the last block to receive
   */
  @Nullable TaskBatch next(int end) {
    int left = end - taken;
    if (left <= 0) {
      return null;
    }
    TaskBatch batch = batches.get(nextPart);
    nextPart = (nextPart + 1) % parts;
    if (left < batch.size()) {
      batch = TaskBatch.ofReceives(batch.destinations().subList(0, left));
      batches.add(batch);
    }
    taken += batch.size();
    return batch;
  }

  /** Overwrites the memory for the blocks from this one on. No batch runs. */
  void prepare(int first) {
    room.prepare(first);
  }

  /** Returns the number of blocks with wrong content among those in memory. */
  int countWrong(int first, int end) {
    return room.countWrong(first, end);
  }

  /** Drops a batch that a device retains. Its buffers return to their pool without this object. */
  void forget(TaskBatch retained) {
    room.forget(retained.destinations());
    batches.remove(retained);
  }

  /** Releases all buffers: now, or at the end of their batches. Idempotent. */
  void release() {
    batches.forEach(TaskBatch::retain);
    batches.clear();
    room.release();
  }
}
