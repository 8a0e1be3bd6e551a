package io.dpuactors.service;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.wire.DataGeometry;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Filled blocks that a data server shares with all its clients. Each client reads the blocks
 * through separate windows, so clients do not wait for each other. Thread: any.
 */
public final class BlockMemory implements AutoCloseable {
  private final BufferPool pool;
  private final DataGeometry geometry;
  private final List<Buffer> blocks = new ArrayList<>();

  private BlockMemory(BufferPool pool, DataGeometry geometry) {
    this.pool = pool;
    this.geometry = geometry;
  }

  /**
   * Leases and fills all blocks. Do not call this method on the engine's thread: filling takes
   * time.
   *
   * @param pool buffers of the geometry's block size, at least one per block
   * @throws IllegalStateException when the pool has too few free buffers
   */
  public static BlockMemory fill(BufferPool pool, DataGeometry geometry) {
    BlockMemory memory = new BlockMemory(pool, geometry);
    for (int i = 0; i < geometry.blocks(); i++) {
      Buffer block = pool.lease();
      if (block == null) {
        memory.close();
        throw new IllegalStateException(
            "%s has no room for %d blocks".formatted(pool, geometry.blocks()));
      }
      memory.blocks.add(filled(block, geometry.blockBytes(), DataGeometry.fill(i)));
    }
    return memory;
  }

  /**
   * Leases one buffer and fills it with all blocks in order, so that clients find the blocks in one
   * contiguous range. Do not call this method on the engine's thread.
   *
   * @param pool each of its buffers has room for all blocks
   * @throws IllegalStateException when the pool has no free buffer
   */
  public static Buffer fillWhole(BufferPool pool, DataGeometry geometry) {
    Buffer whole = pool.lease();
    if (whole == null) {
      throw new IllegalStateException(pool + " has no free buffer");
    }
    ByteBuffer into = whole.bytes().clear();
    for (int i = 0; i < geometry.blocks(); i++) {
      put(into, geometry.blockBytes(), DataGeometry.fill(i));
    }
    whole.length(into.position());
    return whole;
  }

  /** Fills the first bytes of a buffer and makes them its content. */
  static Buffer filled(Buffer buffer, int bytes, byte value) {
    overwrite(buffer, bytes, value);
    buffer.length(bytes);
    return buffer;
  }

  /** Fills the first bytes of a buffer, which a batch may hold between its runs. */
  static void overwrite(Buffer buffer, int bytes, byte value) {
    put(buffer.bytes().clear(), bytes, value);
  }

  /**
   * Writes the byte once, then doubles the written range. This method needs few calls and no
   * garbage.
   */
  private static void put(ByteBuffer into, int bytes, byte value) {
    int begin = into.position();
    ByteBuffer written = into.duplicate();
    into.put(begin, value);
    for (int done = 1; done < bytes; done += Math.min(done, bytes - done)) {
      into.put(begin + done, written, begin, Math.min(done, bytes - done));
    }
    into.position(begin + bytes);
  }

  /** Returns whether a buffer's content is this byte, repeated {@code bytes} times. */
  static boolean isFilled(Buffer buffer, int bytes, byte value) {
    ByteBuffer content = buffer.bytes().clear().limit(buffer.length());
    if (buffer.length() != bytes || content.get(0) != value) {
      return false;
    }
    // The content equals itself shifted by one: each byte equals the byte before it.
    return content.slice(1, bytes - 1).mismatch(content.slice(0, bytes - 1)) < 0;
  }

  /** Returns the number and the size of the blocks. */
  public DataGeometry geometry() {
    return geometry;
  }

  /** Returns the pool that holds the blocks. Callers open windows of it. */
  BufferPool pool() {
    return pool;
  }

  /**
   * Returns a batch that sends consecutive blocks, or null if the windows have too few leases. An
   * engine that stops lends no windows.
   *
   * @param windows windows of {@link #pool}
   * @param from index of the first block
   * @param count number of blocks
   */
  @Nullable TaskBatch batch(BufferPool windows, int from, int count) {
    List<Buffer> aimed = new ArrayList<>(count);
    for (Buffer block : blocks.subList(from, from + count)) {
      Buffer window = lease(windows);
      if (window == null) {
        aimed.forEach(Buffer::release);
        return null;
      }
      window.aim(block.address() - pool.memory().address(0), geometry.blockBytes());
      aimed.add(window);
    }
    return TaskBatch.ofSends(aimed);
  }

  /** Leases a buffer. Returns null if none is free, or the engine stops or has ended. */
  static @Nullable Buffer lease(BufferPool pool) {
    try {
      return pool.lease();
    } catch (IllegalStateException closed) { // the engine has ended
      return null;
    }
  }

  /** Closes a batch that does not run and releases its windows. */
  static void release(TaskBatch batch) {
    batch.close();
    batch.sources().forEach(Buffer::release);
  }

  /** Releases all blocks. Callers close all windows first. Idempotent. */
  @Override
  public void close() {
    blocks.forEach(Buffer::release);
    blocks.clear();
  }
}
