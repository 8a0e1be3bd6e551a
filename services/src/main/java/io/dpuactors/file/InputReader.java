package io.dpuactors.file;

import io.dpuactors.file.FileFailure.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Reads an input in order and counts its bytes. Thread: the job's. */
final class InputReader {
  private final InputFile file;
  private final PartialFiles partials;
  private long bytesRead;

  private InputReader(InputFile file, PartialFiles partials) {
    this.file = file;
    this.partials = partials;
  }

  /**
   * Creates a reader at the beginning of an input.
   *
   * @param partials closes standard input when a signal ends the program
   */
  static InputReader create(InputFile file, PartialFiles partials) throws FileException {
    InputReader reader = new InputReader(file, partials);
    try {
      if (FileJob.isStream(file.path())) {
        partials.include(file.channel());
      }
      return reader;
    } catch (IOException e) {
      throw reader.failure(e);
    }
  }

  InputFile file() {
    return file;
  }

  /** Returns the number of bytes read. */
  long bytesRead() {
    return bytesRead;
  }

  /** Continues at an offset, as if the bytes before it had been read. */
  void skipTo(long offset) throws FileException {
    try {
      file.channel().position(offset);
      bytesRead = offset;
    } catch (IOException e) {
      throw failure(e);
    }
  }

  /** Counts content that the job has read without {@link #fill}. */
  void count(long bytes) {
    bytesRead += bytes;
  }

  /** Reads until the buffers are full or the file ends. */
  void fill(ByteBuffer... into) throws FileException {
    FileChannel channel = file.channel();
    ByteBuffer last = into[into.length - 1];
    try {
      while (last.hasRemaining()) {
        long count = into.length == 1 ? channel.read(last) : channel.read(into);
        if (count < 0) {
          return;
        }
        requireBlocking(count);
        bytesRead += count;
      }
    } catch (IOException e) {
      throw failure(e);
    }
  }

  /**
   * Fails when a read or write transferred no byte: another process made the shared descriptor
   * non-blocking.
   */
  static void requireBlocking(long count) throws IOException {
    if (count == 0) {
      throw new IOException("is a non-blocking descriptor that is not ready");
    }
  }

  /** Fails at the end of the file if the file was longer at its open. */
  void requireWhole() throws FileException {
    if (bytesRead < file.bytes()) {
      throw new FileException(
          FileFailure.of(
              Kind.INPUT,
              file.path(),
              "truncated during the read: it had %d bytes, now it ends after %d"
                  .formatted(file.bytes(), bytesRead)));
    }
  }

  /** Returns the failure of a read. After a signal, the read failed because its file is closed. */
  FileException failure(IOException cause) {
    return partials.isClosed()
        ? FileException.cancelled(file.path(), cause)
        : FileException.input(file.path(), cause);
  }
}
