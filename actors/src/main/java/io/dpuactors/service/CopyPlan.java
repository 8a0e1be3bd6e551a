package io.dpuactors.service;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.protocol.wire.DataGeometry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All blocks of imported memory and where they go, in batches that are prepared before the first is
 * copied. A batch is what has to be copied within one deadline; the fewer there are, the less often
 * does the device wait for the actor between two of them.
 */
final class CopyPlan {
  private static final int MAX_BLOCKS = 256;
  private static final int MAX_BYTES = 256 << 20;

  private final List<TaskBatch> batches = new ArrayList<>();
  private int next;

  private CopyPlan() {}

  /**
   * Leases and aims a buffer of the import for each block.
   *
   * @param imported all of its leases are free, and as many as there are blocks
   * @param parallel no batch is smaller, so that this many can be in flight
   * @throws IndexOutOfBoundsException when the import ends before the last block; nothing is leased
   *     then
   */
  static CopyPlan of(BufferPool imported, BlockRoom room, DataGeometry geometry, int parallel) {
    CopyPlan plan = new CopyPlan();
    int most = Math.max(parallel, Math.min(MAX_BLOCKS, MAX_BYTES / geometry.blockBytes()));
    most = Math.min(Math.max(1, most), TaskBatch.MAX_TASKS);
    try {
      for (int from = 0; from < geometry.blocks(); from += most) {
        int to = Math.min(geometry.blocks(), from + most);
        plan.batches.add(TaskBatch.of(aimed(imported, geometry, from, to), room.blocks(from, to)));
      }
      return plan;
    } catch (IndexOutOfBoundsException e) {
      plan.release();
      throw e;
    }
  }

  private static List<Buffer> aimed(BufferPool imported, DataGeometry geometry, int from, int to) {
    List<Buffer> sources = new ArrayList<>();
    for (int block = from; block < to; block++) {
      Buffer source = imported.lease();
      if (source == null) {
        throw new IllegalStateException(imported + " has no lease for block " + block);
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

  /** The next batch to be copied; null: there is none left. */
  @Nullable TaskBatch next() {
    return next < batches.size() ? batches.get(next++) : null;
  }

  /** The device keeps this batch and its buffers; they go back by themselves. */
  void forget(TaskBatch retained) {
    batches.remove(retained);
  }

  /** Gives the leases of the import back. Idempotent; no batch runs. */
  void release() {
    for (TaskBatch batch : batches) {
      batch.close();
      batch.sources().forEach(Buffer::release);
    }
    batches.clear();
  }
}
