package io.dpuactors.service;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.SendBatch;
import io.dpuactors.protocol.wire.DataGeometry;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The filled blocks that a data server shows to all of its clients. Each client reads them through
 * windows of its own, so that no client waits for another. Thread: any.
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
   * Leases and fills all blocks, which takes a moment: not for the engine's thread.
   *
   * @param pool buffers of the geometry's size, as many as it has blocks
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
   * Leases one buffer and fills it with all blocks, one behind the other: what others are to find
   * in one piece. Not for the engine's thread.
   *
   * @param pool its buffers have room for all blocks
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

  /** Fills a buffer's first bytes, which become its content. */
  static Buffer filled(Buffer buffer, int bytes, byte value) {
    put(buffer.bytes().clear(), bytes, value);
    buffer.length(bytes);
    return buffer;
  }

  /** Writes it once, then what is there already behind itself: few calls, and no garbage. */
  private static void put(ByteBuffer into, int bytes, byte value) {
    int begin = into.position();
    ByteBuffer written = into.duplicate();
    into.put(begin, value);
    for (int done = 1; done < bytes; done += Math.min(done, bytes - done)) {
      into.put(begin + done, written, begin, Math.min(done, bytes - done));
    }
    into.position(begin + bytes);
  }

  /** Whether a buffer's content is nothing but this byte, so many times. */
  static boolean isFilled(Buffer buffer, int bytes, byte value) {
    ByteBuffer content = buffer.bytes().clear().limit(buffer.length());
    if (buffer.length() != bytes || content.get(0) != value) {
      return false;
    }
    // Equal to itself shifted by one: each byte is the one before.
    return content.slice(1, bytes - 1).mismatch(content.slice(0, bytes - 1)) < 0;
  }

  /** The shape of what is shown. */
  public DataGeometry geometry() {
    return geometry;
  }

  /** What the blocks lie in: to open windows of. */
  BufferPool pool() {
    return pool;
  }

  /**
   * Blocks to be sent one after the other.
   *
   * @param windows of {@link #pool}; as many leases as blocks are free
   * @param from the first block
   * @param count how many
   */
  SendBatch batch(BufferPool windows, int from, int count) {
    List<Buffer> aimed = new ArrayList<>(count);
    for (Buffer block : blocks.subList(from, from + count)) {
      Buffer window = windows.lease();
      if (window == null) {
        throw new IllegalStateException(windows + " has no lease for block " + from);
      }
      window.aim(block.address() - pool.memory().address(), geometry.blockBytes());
      aimed.add(window);
    }
    return SendBatch.of(aimed);
  }

  /** The windows of a batch that does not run are free again. */
  static void release(SendBatch batch) {
    batch.close();
    batch.buffers().forEach(Buffer::release);
  }

  /** Releases all blocks; all windows are closed. Idempotent. */
  @Override
  public void close() {
    blocks.forEach(Buffer::release);
    blocks.clear();
  }
}
