package io.dpuactors.service;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.protocol.wire.DataGeometry;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/**
 * The filled blocks that a data server shows to all of its clients. A buffer has one holder at a
 * time: whoever wants a block that somebody else is just sending gets a spare buffer, filled on the
 * spot. Thread: any.
 */
public final class BlockMemory implements AutoCloseable {
  private final BufferPool pool;
  private final DataGeometry geometry;
  private final AtomicReferenceArray<@Nullable Buffer> blocks;
  private final Queue<ActorRef<? super News>> waiting = new ConcurrentLinkedQueue<>();

  /** What those are told who have found a block lent. */
  enum News {
    /** Some block has come back: it is worth another look. */
    BLOCK_BACK
  }

  private BlockMemory(BufferPool pool, DataGeometry geometry) {
    this.pool = pool;
    this.geometry = geometry;
    this.blocks = new AtomicReferenceArray<>(geometry.blocks());
  }

  /**
   * Leases and fills all blocks, which takes a moment: not for the engine's thread.
   *
   * @param pool buffers of the geometry's size, more than it has blocks: the others are the spares
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
      memory.blocks.set(i, filled(block, geometry.blockBytes(), DataGeometry.fill(i)));
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

  /**
   * Lends a block; null: somebody has it, and there is no spare at the moment.
   *
   * @param index from 0
   */
  public @Nullable Buffer take(int index) {
    Buffer block = blocks.getAndSet(index, null);
    if (block != null) {
      return block;
    }
    Buffer spare = pool.lease();
    return spare == null ? null : filled(spare, geometry.blockBytes(), DataGeometry.fill(index));
  }

  /**
   * Lends some blocks that follow each other: as far as nobody else has them, or a spare for the
   * first alone, so that one client does not have them all.
   *
   * @param from the first
   * @param most how many at most, at least 1
   * @param waiter is told once when a block comes back, if this lends none; it may be told although
   *     it has asked no more
   */
  List<Buffer> take(int from, int most, ActorRef<? super News> waiter) {
    List<Buffer> taken = new ArrayList<>();
    int end = Math.min(geometry.blocks(), from + most);
    for (int index = from; index < end; index++) {
      Buffer block = blocks.getAndSet(index, null);
      if (block == null) {
        break;
      }
      taken.add(block);
    }
    Buffer first = taken.isEmpty() ? takeOrWait(from, waiter) : null;
    if (first != null) {
      taken.add(first);
    }
    return taken;
  }

  private @Nullable Buffer takeOrWait(int index, ActorRef<? super News> waiter) {
    Buffer block = take(index);
    if (block == null) {
      waiting.add(waiter);
      // What came back before this was told to nobody.
      block = take(index);
    }
    return block;
  }

  /** Takes a block back, unchanged. */
  public void giveBack(int index, Buffer block) {
    if (!blocks.compareAndSet(index, null, block)) {
      block.release();
    }
    ActorRef<? super News> next;
    while ((next = waiting.poll()) != null) {
      next.tell(News.BLOCK_BACK);
    }
  }

  /** Releases all blocks that are not lent. Idempotent. */
  @Override
  public void close() {
    for (int i = 0; i < blocks.length(); i++) {
      Buffer block = blocks.getAndSet(i, null);
      if (block != null) {
        block.release();
      }
    }
  }
}
