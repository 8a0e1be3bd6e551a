package io.dpuactors.service;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.SendBatch;
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
 * The filled blocks that a data server shows to all of its clients. They are lent in stripes, which
 * are prepared for sending once. A stripe is one client's at a time: whoever wants a block that
 * somebody else is just sending gets a copy in a spare buffer, filled on the spot. Thread: any.
 */
public final class BlockMemory implements AutoCloseable {
  /** A client that stalls keeps so many blocks, and between two stripes the device waits. */
  private static final int STRIPE_BLOCKS = 128;

  private final BufferPool pool;
  private final DataGeometry geometry;
  private final AtomicReferenceArray<@Nullable SendBatch> stripes;
  private final Queue<ActorRef<? super News>> waiting = new ConcurrentLinkedQueue<>();

  /** What those are told who have found a stripe lent. */
  enum News {
    /** Some stripe has come back: it is worth another look. */
    STRIPE_BACK
  }

  private BlockMemory(BufferPool pool, DataGeometry geometry) {
    this.pool = pool;
    this.geometry = geometry;
    this.stripes =
        new AtomicReferenceArray<>((geometry.blocks() + STRIPE_BLOCKS - 1) / STRIPE_BLOCKS);
  }

  /**
   * Leases and fills all blocks, which takes a moment: not for the engine's thread.
   *
   * @param pool buffers of the geometry's size, more than it has blocks: the others are the spares
   * @throws IllegalStateException when the pool has too few free buffers
   */
  public static BlockMemory fill(BufferPool pool, DataGeometry geometry) {
    BlockMemory memory = new BlockMemory(pool, geometry);
    List<Buffer> stripe = new ArrayList<>();
    for (int i = 0; i < geometry.blocks(); i++) {
      Buffer block = pool.lease();
      if (block == null) {
        stripe.forEach(Buffer::release);
        memory.close();
        throw new IllegalStateException(
            "%s has no room for %d blocks".formatted(pool, geometry.blocks()));
      }
      stripe.add(filled(block, geometry.blockBytes(), DataGeometry.fill(i)));
      if (stripe.size() == STRIPE_BLOCKS || i == geometry.blocks() - 1) {
        memory.stripes.set(i / STRIPE_BLOCKS, SendBatch.of(stripe));
        stripe.clear();
      }
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
   * Lends the blocks from one on, to the end of their stripe, or a copy of that one alone. Null:
   * somebody has the stripe, and there is no spare at the moment.
   *
   * @param from the first block
   * @param waiter is told once when something comes back, if this lends nothing; it may be told
   *     although it has asked no more
   */
  @Nullable BlockLoan take(int from, ActorRef<? super News> waiter) {
    BlockLoan loan = take(from);
    if (loan == null) {
      waiting.add(waiter);
      // What came back before this was told to nobody.
      loan = take(from);
    }
    return loan;
  }

  private @Nullable BlockLoan take(int from) {
    int skipped = from % STRIPE_BLOCKS;
    SendBatch stripe = stripes.getAndSet(from / STRIPE_BLOCKS, null);
    if (stripe != null) {
      return skipped == 0 ? BlockLoan.whole(from, stripe) : BlockLoan.rest(from, stripe, skipped);
    }
    Buffer spare = pool.lease();
    return spare == null
        ? null
        : BlockLoan.copy(from, filled(spare, geometry.blockBytes(), DataGeometry.fill(from)));
  }

  /** Takes blocks back, unchanged. What a device has kept does not come back. */
  void giveBack(BlockLoan loan) {
    loan.end();
    if (loan.stripe() != null) {
      stripes.set(loan.first() / STRIPE_BLOCKS, loan.stripe());
    }
    ActorRef<? super News> next;
    while ((next = waiting.poll()) != null) {
      next.tell(News.STRIPE_BACK);
    }
  }

  /** Releases all blocks that are not lent. Idempotent. */
  @Override
  public void close() {
    for (int i = 0; i < stripes.length(); i++) {
      SendBatch stripe = stripes.getAndSet(i, null);
      if (stripe != null) {
        stripe.close();
        stripe.buffers().forEach(Buffer::release);
      }
    }
  }
}
