package io.dpuactors.benchmarks.load;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.TaskBatch;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Leased buffers in pairs: task {@code i} always reads and writes pair {@code i}.
 *
 * @param sources full of content
 * @param destinations one per source
 * @param batches of consecutive pairs; may be empty
 */
record BufferPairs(List<Buffer> sources, List<Buffer> destinations, List<TaskBatch> batches) {
  private static final int CHUNK = 4096;

  /** Leases all pairs. Every page was written once, so that no trial pays for page faults. */
  private static BufferPairs lease(BufferPool sources, BufferPool destinations, int count) {
    BufferPairs pairs = new BufferPairs(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (int i = 0; i < count; i++) {
      pairs.sources.add(leased(sources));
      pairs.destinations.add(leased(destinations));
      fill(pairs.destinations.get(i).bytes(), (byte) 0);
    }
    return pairs;
  }

  /** Leases pairs. Source i is filled with the byte {@code i & 0xff}. */
  static BufferPairs filled(BufferPool sources, BufferPool destinations, int count) {
    BufferPairs pairs = lease(sources, destinations, count);
    for (int i = 0; i < count; i++) {
      Buffer source = pairs.sources.get(i);
      fill(source.bytes(), (byte) i);
      source.length(source.capacity());
    }
    return pairs;
  }

  /**
   * Leases pairs, and fills the sources from a channel.
   *
   * @throws EOFException when the channel has too few bytes
   */
  static BufferPairs read(
      BufferPool sources, BufferPool destinations, int count, ReadableByteChannel in)
      throws IOException {
    BufferPairs pairs = lease(sources, destinations, count);
    for (Buffer source : pairs.sources) {
      ByteBuffer bytes = source.bytes();
      while (bytes.hasRemaining()) {
        if (in.read(bytes) < 0) {
          pairs.release();
          throw new EOFException("shorter than its header says");
        }
      }
      source.length(source.capacity());
    }
    return pairs;
  }

  private static Buffer leased(BufferPool pool) {
    Buffer buffer = pool.lease();
    if (buffer == null) {
      throw new IllegalStateException("no buffer is left of " + pool);
    }
    return buffer;
  }

  private static void fill(ByteBuffer into, byte value) {
    byte[] chunk = new byte[CHUNK];
    Arrays.fill(chunk, value);
    while (into.hasRemaining()) {
      into.put(chunk, 0, Math.min(chunk.length, into.remaining()));
    }
  }

  int count() {
    return sources.size();
  }

  /** Divides the pairs into batches of a size; the last one may be smaller. */
  BufferPairs inBatches(int size) {
    for (int from = 0; from < count(); from += size) {
      int to = Math.min(count(), from + size);
      batches.add(TaskBatch.of(sources.subList(from, to), destinations.subList(from, to)));
    }
    return this;
  }

  /** Returns all buffers to their pools. */
  void release() {
    batches.forEach(TaskBatch::close);
    sources.forEach(Buffer::release);
    destinations.forEach(Buffer::release);
  }
}
