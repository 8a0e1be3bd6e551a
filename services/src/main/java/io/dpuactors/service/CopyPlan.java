package io.dpuactors.service;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.wire.DataGeometry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All blocks of imported memory and their destinations, in batches. The plan prepares all batches
 * before the first copy. One deadline applies to all copies of a batch. With fewer batches, the
 * device waits less often for the actor.
 */
final class CopyPlan {
  private static final int MAX_BLOCKS = 256;
  private static final int MAX_BYTES = 256 << 20;

  private final List<TaskBatch> batches = new ArrayList<>();
  private int next;

  private CopyPlan() {}

  /**
   * Leases a buffer of the import for each block and aims it.
   *
   * @param imported has at least one lease per block; all leases are free
   * @param parallel smallest size of a batch, so that this many copies can be in flight
   * @return null if the import lends too few leases, because its engine stops
   * @throws IndexOutOfBoundsException when the import ends before the last block; the plan then
   *     holds no lease
   */
  static @Nullable CopyPlan of(
      BufferPool imported, BlockRoom room, DataGeometry geometry, int parallel) {
    CopyPlan plan = new CopyPlan();
    int most = Math.max(parallel, Math.min(MAX_BLOCKS, MAX_BYTES / geometry.blockBytes()));
    most = Math.min(Math.max(1, most), TaskBatch.MAX_TASKS);
    try {
      for (int from = 0; from < geometry.blocks(); from += most) {
        int to = Math.min(geometry.blocks(), from + most);
        List<Buffer> sources = aimed(imported, geometry, from, to);
        if (sources == null) {
          plan.release();
          return null;
        }
        plan.batches.add(TaskBatch.of(sources, room.blocks(from, to)));
      }
      return plan;
    } catch (IndexOutOfBoundsException e) {
      plan.release();
      throw e;
    }
  }

  private static @Nullable List<Buffer> aimed(
      BufferPool imported, DataGeometry geometry, int from, int to) {
    List<Buffer> sources = new ArrayList<>();
    for (int block = from; block < to; block++) {
      Buffer source = BlockMemory.lease(imported);
      if (source == null) {
        sources.forEach(Buffer::release);
        return null;
      }
      sources.add(source);
      aim(sources, (long) block * geometry.blockBytes(), geometry.blockBytes());
    }
    return sources;
  }

  private static void aim(List<Buffer> sources, long offset, int bytes) {
    try {
      sources.get(sources.size() - 1).aim(offset, bytes);
    } catch (IndexOutOfBoundsException e) {
      sources.forEach(Buffer::release);
      throw e;
    }
  }

  /** Returns the next batch to copy, or null after the last. */
  @Nullable TaskBatch next() {
    return next < batches.size() ? batches.get(next++) : null;
  }

  /**
   * Drops a batch that the device retains. The buffers of the batch return to their pool without
   * this object.
   */
  void forget(TaskBatch retained) {
    batches.remove(retained);
  }

  /** Releases the leases of the import. No batch runs. Idempotent. */
  void release() {
    for (TaskBatch batch : batches) {
      batch.close();
      batch.sources().forEach(Buffer::release);
    }
    batches.clear();
  }

  /** Releases the buffers of all batches: now, or at the end of a run. Idempotent. */
  void abandon() {
    batches.forEach(TaskBatch::retain);
    batches.clear();
  }
}
