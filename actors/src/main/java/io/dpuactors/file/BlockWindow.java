package io.dpuactors.file;

import io.dpuactors.protocol.TaskReply;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of one file between its input and its output.
 *
 * <pre>
 *   block  written   next to write            next to read
 *            |            |                        |
 *     ... 4  5  |  6 READY   7 SENT   8 READY  |  9 ...
 *               +--- the window: places ------+
 * </pre>
 *
 * <p>Block n uses place n modulo the window and so always the same station: stations take turns.
 * Each place has one buffer for input and one for output while a block is in it, which bounds the
 * memory.
 */
final class BlockWindow {
  private final Block[] places;
  private long nextToRead;
  private long nextToWrite;

  /**
   * All places are free.
   *
   * @param blocks that each station can have at once
   * @param next number of the first block
   */
  BlockWindow(int stations, int blocks, long next) {
    nextToRead = next;
    nextToWrite = next;
    places = new Block[blocks * stations];
    for (int i = 0; i < places.length; i++) {
      places[i] = new Block(i % stations);
    }
  }

  /** Which block is read next, from 0: so many were read. */
  long nextToRead() {
    return nextToRead;
  }

  /** Which block is written next, from 0: so many were written. */
  long nextToWrite() {
    return nextToWrite;
  }

  boolean isEmpty() {
    return nextToWrite == nextToRead;
  }

  boolean isFull() {
    return nextToRead - nextToWrite == places.length;
  }

  /** Where the next block will be; the window is not full. */
  Block free() {
    return place(nextToRead);
  }

  /** The next block is read. */
  void read() {
    nextToRead++;
  }

  /** The oldest block; null when there is none. */
  @Nullable Block oldest() {
    return isEmpty() ? null : place(nextToWrite);
  }

  /** The oldest block is written. */
  void written() {
    place(nextToWrite).release();
    nextToWrite++;
  }

  /**
   * The block that an answer is about.
   *
   * @throws IllegalStateException when no context has that block
   */
  Block answered(TaskReply reply) {
    Block block = place(reply.tag());
    if (block.state != Block.State.SENT || block.number != reply.tag()) {
      throw new IllegalStateException("an answer that nothing asks for: " + reply);
    }
    return block;
  }

  /** Whether contexts have blocks that they have not answered. */
  boolean isAnswerDue() {
    for (Block block : places) {
      if (block.state == Block.State.SENT) {
        return true;
      }
    }
    return false;
  }

  /** Nothing is written any more: buffers go back that no context has. */
  void releaseUnsent() {
    for (Block block : places) {
      if (block.state == Block.State.READY || block.state == Block.State.WAITING) {
        block.release();
      }
    }
  }

  /** The answers that are due will never come. */
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
