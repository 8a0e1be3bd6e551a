package io.dpuactors.experiments.program;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.TaskBatch;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Registered memory for every block, and for its compressed form.
 *
 * @param batches of leased buffers, in the order of blocks. The sources are filled. Every page of
 *     the destinations was written once, so that no trial pays for page faults
 */
record BlockMemory(List<TaskBatch> batches) {
  private static final int PAGE_BYTES = 4096;

  /** All blocks of a batch have one deadline. */
  private static final int BATCH_BLOCKS = 32;

  /**
   * Leases all buffers of both pools, and fills the sources from the channel.
   *
   * @throws EOFException when the channel has too few bytes
   */
  static BlockMemory load(
      ReadableByteChannel in, int blocks, BufferPool sources, BufferPool destinations)
      throws IOException {
    List<TaskBatch> batches = new ArrayList<>();
    for (int from = 0; from < blocks; from += BATCH_BLOCKS) {
      List<Buffer> filled = new ArrayList<>();
      List<Buffer> touched = new ArrayList<>();
      for (int i = from; i < Math.min(blocks, from + BATCH_BLOCKS); i++) {
        filled.add(fill(lease(sources), in));
        touched.add(touch(lease(destinations)));
      }
      batches.add(TaskBatch.of(filled, touched));
    }
    return new BlockMemory(List.copyOf(batches));
  }

  private static Buffer lease(BufferPool pool) {
    return Objects.requireNonNull(pool.lease(), "a pool has a buffer for each block");
  }

  private static Buffer fill(Buffer buffer, ReadableByteChannel in) throws IOException {
    ByteBuffer bytes = buffer.bytes();
    while (bytes.hasRemaining()) {
      if (in.read(bytes) < 0) {
        throw new EOFException("shorter than its header says");
      }
    }
    buffer.length(buffer.capacity());
    return buffer;
  }

  private static Buffer touch(Buffer buffer) {
    ByteBuffer bytes = buffer.bytes();
    for (int i = 0; i < bytes.capacity(); i += PAGE_BYTES) {
      bytes.put(i, (byte) 0);
    }
    return buffer;
  }

  /** Releases all buffers. */
  void release() {
    for (TaskBatch batch : batches) {
      batch.close();
      batch.sources().forEach(Buffer::release);
      batch.destinations().forEach(Buffer::release);
    }
  }
}
