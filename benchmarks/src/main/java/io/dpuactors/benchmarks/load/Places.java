package io.dpuactors.benchmarks.load;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.TaskBatch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Leased buffers in pairs: task {@code i} of a window always reads and writes pair {@code i}.
 *
 * @param sources block i is filled with the byte {@code i & 0xff}
 * @param destinations one per source
 * @param batches batches of these buffers
 */
record Places(List<Buffer> sources, List<Buffer> destinations, List<TaskBatch> batches) {
  private static final int CHUNK = 4096;

  static Places lease(BufferPool sources, BufferPool destinations, int count) {
    Places places = new Places(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (int i = 0; i < count; i++) {
      Buffer source = leased(sources);
      fill(source, (byte) i);
      places.sources.add(source);
      places.destinations.add(leased(destinations));
    }
    return places;
  }

  private static Buffer leased(BufferPool pool) {
    Buffer buffer = pool.lease();
    if (buffer == null) {
      throw new IllegalStateException("no buffer is left of " + pool);
    }
    return buffer;
  }

  private static void fill(Buffer buffer, byte value) {
    byte[] chunk = new byte[CHUNK];
    Arrays.fill(chunk, value);
    ByteBuffer view = buffer.bytes();
    while (view.hasRemaining()) {
      view.put(chunk, 0, Math.min(chunk.length, view.remaining()));
    }
    buffer.length(buffer.capacity());
  }

  int count() {
    return sources.size();
  }

  /** Returns a batch of some pairs, which is closed with the rest. */
  TaskBatch batch(int from, int to) {
    TaskBatch batch = TaskBatch.of(sources.subList(from, to), destinations.subList(from, to));
    batches.add(batch);
    return batch;
  }

  void release() {
    batches.forEach(TaskBatch::close);
    sources.forEach(Buffer::release);
    destinations.forEach(Buffer::release);
  }
}
