package io.dpuactors.file;

import java.nio.ByteBuffer;

/**
 * Reads the blocks of a file, and with each block the bytes behind it. A block without bytes behind
 * it is the last. Thread: the job's.
 */
final class AheadReader {
  private final InputReader input;
  private final ByteBuffer ahead;
  private boolean hasReadLast;

  /**
   * Creates a reader that has read nothing.
   *
   * @param bytes number of bytes to read behind each block
   */
  AheadReader(InputReader input, int bytes) {
    this.input = input;
    this.ahead = ByteBuffer.allocateDirect(bytes).limit(0);
  }

  /** Reads the bytes before the first block, as if they were behind a block. */
  void begin() throws FileException {
    input.fill(ahead.clear());
    ahead.flip();
  }

  /** Returns whether the last block has been read. */
  boolean hasReadLast() {
    return hasReadLast;
  }

  /** Returns the offset in the input behind the last block. */
  long offset() {
    return input.bytesRead() - ahead.remaining();
  }

  /** Returns the bytes behind the last block, for reading. The next block begins with the rest. */
  ByteBuffer ahead() {
    return ahead;
  }

  /**
   * Reads the next block, and sets the length of its source.
   *
   * @param into the source, which may begin with other bytes; its limit is the end of the block
   */
  void read(Block block, ByteBuffer into) throws FileException {
    into.put(ahead);
    input.fill(into, ahead.clear());
    ahead.flip();
    block.src().length(into.position());
    block.last = !ahead.hasRemaining();
    hasReadLast = block.last;
  }
}
