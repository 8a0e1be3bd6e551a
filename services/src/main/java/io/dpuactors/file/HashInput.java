package io.dpuactors.file;

import io.dpuactors.bridge.Buffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a file in parts. Each part except the last is a multiple of the hash function's block. The
 * input leaves at least one byte for the next part, because DOCA refuses an empty last part.
 *
 * <pre>
 *   buffer of part 0   [ multiple of the block ......... | kept back ]
 *   buffer of part 1   [ kept back | read .............. | kept back ]
 * </pre>
 *
 * <p>Thread: the job's.
 */
final class HashInput implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HashInput.class);

  private final InputReader input;
  private final ByteBuffer kept;
  private boolean ended;

  private HashInput(InputReader input, int blockBytes) {
    this.input = input;
    this.kept = ByteBuffer.allocate(blockBytes).limit(0);
  }

  /**
   * Opens a file, a pipe, or standard input.
   *
   * @param blockBytes size of the hash function's block
   */
  static HashInput open(Path path, PartialFiles partials, int blockBytes) throws FileException {
    return new HashInput(InputReader.create(InputFile.openAny(path), partials), blockBytes);
  }

  /**
   * Reads the next part, whose size becomes the length of the buffer.
   *
   * @throws FileException if the file cannot be read, or has become shorter since its open
   */
  void read(Buffer into) throws FileException {
    ByteBuffer room = into.bytes().clear().put(kept);
    input.fill(room);
    ended = room.hasRemaining();
    if (ended) {
      input.requireWhole();
    } else {
      int block = kept.capacity();
      int part = (room.capacity() - 1) / block * block;
      kept.clear().put(room.flip().position(part)).flip();
      room.position(part);
    }
    into.length(room.position());
  }

  /** Returns whether the last part has been read. */
  boolean isAtEnd() {
    return ended;
  }

  /** Returns the size at the open; negative for a pipe. */
  long bytes() {
    return input.file().bytes();
  }

  /** Closes the file. The program only reads it, so a failure changes no result. */
  @Override
  public void close() {
    try {
      input.file().channel().close();
    } catch (IOException e) {
      LOG.debug("{}: cannot be closed", input.file().path(), e);
    }
  }
}
