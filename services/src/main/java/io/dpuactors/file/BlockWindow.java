package io.dpuactors.file;

import io.dpuactors.protocol.TaskReply;
import org.jspecify.annotations.Nullable;

/**
 * Blocks of one file between its input and its output.
 *
 * <pre>
 *   block  written   next to write            next to read
 *            |            |                        |
 *     ... 4  5  |  6 READY   7 SENT   8 READY  |  9 ...
 *               +--- the window: places ------+
 * </pre>
 *
 * <p>Block n uses place n modulo the window, and therefore always the same worker: workers take
 * turns. A place with a block holds one input buffer and one output buffer, which bounds the
 * memory.
 */
final class BlockWindow {
  private final Block[] places;
  private long nextToRead;
  private long nextToWrite;

  /**
   * Creates a window whose places are free.
   *
   * @param workers number of workers
   * @param blocks largest number of blocks per worker
   * @param next number of the first block
   */
  BlockWindow(int workers, int blocks, long next) {
    begin(next);
    places = new Block[blocks * workers];
    for (int i = 0; i < places.length; i++) {
      places[i] = new Block(i % workers);
    }
  }

  /** Sets the number of the first block. The window must be empty. */
  void begin(long next) {
    nextToRead = next;
    nextToWrite = next;
  }

  /** Returns the number of the next block to read, from 0; also the count of blocks read. */
  long nextToRead() {
    return nextToRead;
  }

  /** Returns the number of the next block to write, from 0; also the count of blocks written. */
  long nextToWrite() {
    return nextToWrite;
  }

  boolean isEmpty() {
    return nextToWrite == nextToRead;
  }

  boolean isFull() {
    return nextToRead - nextToWrite == places.length;
  }

  /** Returns the place for the next block. The window must not be full. */
  Block free() {
    return place(nextToRead);
  }

  /** Counts the next block as read. */
  void read() {
    nextToRead++;
  }

  /** Returns the oldest block, or null for an empty window. */
  @Nullable Block oldest() {
    return isEmpty() ? null : place(nextToWrite);
  }

  /** Counts the oldest block as written and releases its buffers. */
  void written() {
    place(nextToWrite).release();
    nextToWrite++;
  }

  /**
   * Returns the block of a reply.
   *
   * @throws IllegalStateException when no context has that block
   */
  Block answered(TaskReply reply) {
    Block block = place(reply.tag());
    if (block.state != Block.State.SENT || block.number != reply.tag()) {
      throw new IllegalStateException("reply without a request: " + reply);
    }
    return block;
  }

  /** Returns whether a context has a block without a reply. */
  boolean isAnswerDue() {
    for (Block block : places) {
      if (block.state == Block.State.SENT) {
        return true;
      }
    }
    return false;
  }

  /** Releases the buffers that no context has, after the last write. */
  void releaseUnsent() {
    for (Block block : places) {
      if (block.state == Block.State.READY || block.state == Block.State.WAITING) {
        block.release();
      }
    }
  }

  /** Drops the blocks whose replies cannot arrive any more. */
  void forgetSent() {
    for (Block block : places) {
      if (block.state == Block.State.SENT) {
        block.forget();
      }
    }
  }

  private Block place(long number) {
    return places[(int) (number % places.length)];
  }
}
