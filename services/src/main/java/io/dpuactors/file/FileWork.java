package io.dpuactors.file;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.encrypted.FileCipher;
import io.dpuactors.file.FileFailure.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Common part of compression, decompression and copies: an input, a partial output, byte counts.
 */
abstract class FileWork implements BlockWork {
  private final FileJob job;
  private final PartialFiles partials;
  private @Nullable InputFile input;
  private @Nullable OutputFile output;

  /** The byte behind the last block that was read; used for encryption. */
  private final ByteBuffer ahead = ByteBuffer.allocateDirect(1);

  private boolean hasReadLast;
  private long bytesRead;
  private long bytesWritten;

  FileWork(FileJob job, PartialFiles partials) {
    this.job = job;
    this.partials = partials;
  }

  @Override
  public void open() throws FileException {
    InputFile opened = openInput();
    input = opened;
    try {
      if (FileJob.isStream(job.input())) {
        partials.include(opened.channel());
      }
      checkIsOther(job);
      openOutput(partials);
    } catch (IOException e) {
      throw outputFailed(e);
    }
  }

  /** Opens the input of the job. */
  InputFile openInput() throws FileException {
    return InputFile.open(job.input());
  }

  /** Opens the output of the job. */
  void openOutput(PartialFiles partials) throws IOException, FileException {
    if (!FileJob.isStream(job.output())) {
      output = partials.begin(job.output(), job.replace());
      return;
    }
    OutputFile.Stream stream = OutputFile.Stream.open();
    partials.include(stream.channel());
    output = stream;
  }

  /** Publishes the complete output. */
  void publish(Set<PosixFilePermission> permissions) throws IOException {
    opened(output).publish(permissions);
    output = null;
  }

  /** Deletes an unfinished output. Idempotent. */
  void discardOutput() throws IOException {
    if (output != null) {
      output.discard();
      output = null;
    }
  }

  /** Returns why {@link #open} would fail, without writing; empty: no obstacle found. */
  static Optional<FileFailure> obstacle(FileJob job) {
    try {
      checkInput(job);
      checkIsOther(job);
      if (job instanceof FileJob.Encode) {
        PartOutputs.checkFolder(job.output());
      } else if (!FileJob.isStream(job.output())) {
        PartialFile.resolve(job.output(), job.replace());
      }
      return Optional.empty();
    } catch (FileException e) {
      return Optional.of(e.failure());
    } catch (IOException e) {
      return Optional.of(FileException.output(job.output(), 0, e).failure());
    }
  }

  private static void checkInput(FileJob job) throws IOException, FileException {
    if (job instanceof FileJob.Recover) {
      RecoverWork.openParts(job.input()).close();
    } else if (!FileJob.isStream(job.input())) {
      InputFile.open(job.input()).channel().close();
    }
  }

  private static void checkIsOther(FileJob job) throws IOException, FileException {
    boolean streams = FileJob.isStream(job.input()) || FileJob.isStream(job.output());
    if (!streams && isSame(job.input(), job.output())) {
      throw new FileException(
          FileFailure.of(Kind.OUTPUT, job.output(), "is the input as well as the output"));
    }
  }

  private static boolean isSame(Path input, Path output) throws IOException {
    try {
      return Files.isSameFile(input, output);
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /** Reads until the buffers are full or the file ends. */
  final void fill(ByteBuffer... into) throws IOException {
    FileChannel channel = opened(input).channel();
    ByteBuffer last = into[into.length - 1];
    while (last.hasRemaining()) {
      long count = into.length == 1 ? channel.read(last) : channel.read(into);
      if (count < 0) {
        return;
      }
      requireBlocking(count);
      bytesRead += count;
    }
  }

  /**
   * Fails when a read or write transferred no byte: another process made the shared descriptor
   * non-blocking.
   */
  private static void requireBlocking(long count) throws IOException {
    if (count == 0) {
      throw new IOException("is a non-blocking descriptor that is not ready");
    }
  }

  /**
   * Reads the next block of a file that consists only of content.
   *
   * @param blockBytes largest content of a block; the buffer may hold less
   * @param verify also compute its CRC-32
   */
  final Found readContent(Block block, long blockBytes, boolean verify) throws FileException {
    Buffer src = block.src();
    ByteBuffer into = src.bytes().clear();
    into.limit((int) Math.min(blockBytes, src.capacity()));
    block.offset = bytesRead;
    try {
      fill(into);
    } catch (IOException e) {
      throw inputFailed(e);
    }
    block.contentBytes = into.position();
    src.length(block.contentBytes);
    if (block.contentBytes == 0) {
      return end();
    }
    if (verify) {
      block.ownCrc32 = ownCrc32(src);
    }
    return Found.BLOCK;
  }

  /**
   * Reads the next block of a file that consists only of content, and the byte behind it. Without
   * that byte, the block is the last. The last block of an empty file is empty.
   *
   * @param before bytes of the buffer that precede the content
   * @param blockBytes content of each block except the last
   */
  final Found readAhead(Block block, byte[] before, int blockBytes) throws FileException {
    if (hasReadLast) {
      return end();
    }
    if (block.number >= FileCipher.MAX_BLOCKS) {
      throw new FileException(
          FileFailure.of(Kind.LIMIT, job.input(), "has more than 2^32 blocks: use larger blocks"));
    }
    ByteBuffer into = block.src().bytes().clear().put(before).limit(before.length + blockBytes);
    block.offset = bytesRead - ahead.position();
    into.put(ahead.flip());
    try {
      fill(into, ahead.clear());
    } catch (IOException e) {
      throw inputFailed(e);
    }
    block.contentBytes = into.position() - before.length;
    block.src().length(into.position());
    block.last = ahead.position() == 0;
    hasReadLast = block.last;
    if (block.last) {
      end();
    }
    return Found.BLOCK;
  }

  /** Handles the end of the input. It is an error if the input was longer at its open. */
  final Found end() throws FileException {
    if (bytesRead < inputBytes()) {
      throw new FileException(
          FileFailure.of(
              Kind.INPUT,
              job.input(),
              "truncated during the read: it had %d bytes, now it ends after %d"
                  .formatted(inputBytes(), bytesRead)));
    }
    return Found.END;
  }

  /** Counts content that the job has read without {@link #fill}. */
  final void countRead(long bytes) {
    bytesRead += bytes;
  }

  /** Counts bytes that the job has written without {@link #append}. */
  final void countWritten(long bytes) {
    bytesWritten += bytes;
  }

  /** Writes the buffers in order, without a copy. */
  final void append(ByteBuffer... parts) throws FileException {
    try {
      OutputFile file = opened(output);
      FileChannel channel = file.channel();
      ByteBuffer last = parts[parts.length - 1];
      while (last.hasRemaining()) {
        long count = parts.length == 1 ? channel.write(last) : channel.write(parts);
        requireBlocking(count);
        bytesWritten += count;
        file.wrote(count);
      }
    } catch (IOException e) {
      throw outputFailed(e);
    }
  }

  final FileException inputFailed(IOException cause) {
    return partials.isClosed()
        ? cancelled(job.input(), cause)
        : FileException.input(job.input(), cause);
  }

  final FileException outputFailed(IOException cause) {
    return partials.isClosed()
        ? cancelled(job.output(), cause)
        : FileException.output(job.output(), bytesWritten, cause);
  }

  /** Returns the failure for a file that the signal hook has closed. */
  private static FileException cancelled(Path file, IOException cause) {
    return new FileException(FileFailure.of(Kind.CANCELLED, file, "cancelled", cause));
  }

  @Override
  public void finish() throws FileException {
    try {
      publish(opened(input).permissions());
      opened(input).channel().close();
      input = null;
    } catch (IOException e) {
      throw outputFailed(e);
    }
  }

  @Override
  public Optional<FileFailure> discard() {
    Optional<FileFailure> failure = Optional.empty();
    try {
      discardOutput();
    } catch (IOException e) {
      failure = Optional.of(FileException.output(job.output(), bytesWritten, e).failure());
    }
    try {
      if (input != null) {
        input.channel().close();
      }
    } catch (IOException e) {
      failure = Optional.of(FileException.input(job.input(), e).failure());
    }
    input = null;
    return failure;
  }

  /** Returns the content of a buffer, for reading. */
  static ByteBuffer content(Buffer buffer) {
    return buffer.bytes().clear().limit(buffer.length());
  }

  /** Returns the CRC-32 of a buffer's content, computed by the CPU. */
  static int ownCrc32(Buffer buffer) {
    CRC32 crc = new CRC32();
    crc.update(content(buffer));
    return (int) crc.getValue();
  }

  private static <T> T opened(@Nullable T file) throws IOException {
    if (file == null) {
      throw new IOException("the file is closed");
    }
    return file;
  }

  @Override
  public FileJob job() {
    return job;
  }

  @Override
  public long inputBytes() {
    return input == null ? bytesRead : input.bytes();
  }

  @Override
  public long bytesRead() {
    return bytesRead;
  }

  @Override
  public long bytesWritten() {
    return bytesWritten;
  }
}
