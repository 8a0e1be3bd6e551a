package io.dpuactors.file;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.encrypted.FileCipher;
import io.dpuactors.file.FileFailure.Kind;
import io.dpuactors.protocol.AesGcmProtocol;
import io.dpuactors.protocol.TaskReply;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Common part of the work on files: an input, a partial output, and a cipher if the job has a key.
 */
abstract class FileWork implements BlockWork {
  private final FileJob job;
  private final PartialFiles partials;
  private @Nullable InputReader input;
  private @Nullable AheadReader ahead;
  private @Nullable OutputFile output;
  private @Nullable BlockCipher cipher;
  private FileReport.Resumed resumed = FileReport.Resumed.NOTHING;
  private long bytesWritten;

  FileWork(FileJob job, PartialFiles partials) {
    this.job = job;
    this.partials = partials;
  }

  @Override
  public void open() throws FileException {
    InputReader reader = InputReader.create(openInput(), partials);
    input = reader;
    ahead = new AheadReader(reader, aheadBytes());
    try {
      JobCheck.outputIsOther(job);
      openOutput(partials);
    } catch (IOException e) {
      throw outputFailed(e);
    }
    if (resumed.blocks() > 0) {
      reader.skipTo(resumed.bytesIn());
      bytesWritten = resumed.bytesOut();
    }
  }

  /** Opens the input of the job. */
  InputFile openInput() throws FileException {
    return InputFile.open(job.input());
  }

  /** Returns the number of bytes that {@link #ahead} reads behind each block. */
  int aheadBytes() {
    return 1;
  }

  /** Opens the output of the job. */
  void openOutput(PartialFiles partials) throws IOException, FileException {
    if (!FileJob.isStream(job.output())) {
      output = partials.begin(job);
      resumed = output.resumed();
      return;
    }
    OutputFile.Stream stream = OutputFile.Stream.open();
    partials.include(stream.channel());
    output = stream;
  }

  /** Publishes the complete output. */
  void publish(Set<PosixFilePermission> permissions) throws IOException {
    output().publish(permissions);
    output = null;
  }

  /** Deletes an unfinished output. Idempotent. */
  void discardOutput() throws IOException {
    if (output != null) {
      output.discard();
      output = null;
    }
  }

  /** Returns the input. Call it after {@link #open}. */
  final InputReader input() {
    return opened(input);
  }

  /** Returns the input in blocks with the bytes behind them. Call it after {@link #open}. */
  final AheadReader ahead() {
    return opened(ahead);
  }

  /** Takes the cipher of a job with a key. {@link #discard} overwrites its key. */
  final void use(BlockCipher created) {
    cipher = created;
  }

  /** Returns the cipher of a job with a key. */
  final BlockCipher cipher() {
    return opened(cipher);
  }

  @Override
  public final Optional<ByteBuffer> key() {
    return Optional.ofNullable(cipher).map(BlockCipher::keyBytes);
  }

  @Override
  public final void created(AesGcmProtocol.Key key) {
    cipher().created(key);
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
    block.offset = bytesRead();
    input().fill(into);
    block.contentBytes = into.position();
    src.length(block.contentBytes);
    if (block.contentBytes == 0) {
      return end();
    }
    if (verify) {
      block.ownCrc32 = BlockCheck.ownCrc32(src);
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
    if (ahead().hasReadLast()) {
      return end();
    }
    if (block.number >= FileCipher.MAX_BLOCKS) {
      throw new FileException(
          FileFailure.of(Kind.LIMIT, job.input(), "has more than 2^32 blocks: use larger blocks"));
    }
    ByteBuffer into = block.src().bytes().clear().put(before).limit(before.length + blockBytes);
    block.offset = ahead().offset();
    ahead().read(block, into);
    block.contentBytes = into.position() - before.length;
    if (block.last) {
      end();
    }
    return Found.BLOCK;
  }

  /** Handles the end of the input. The end is an error if the input was longer at its open. */
  final Found end() throws FileException {
    input().requireWhole();
    return Found.END;
  }

  /** Counts bytes that the job has written without {@link #append}. */
  final void countWritten(long bytes) {
    bytesWritten += bytes;
  }

  /** Writes the buffers in order, without a copy. */
  final void append(ByteBuffer... parts) throws FileException {
    try {
      OutputFile file = output();
      FileChannel channel = file.channel();
      ByteBuffer last = parts[parts.length - 1];
      for (ByteBuffer part : parts) {
        file.add(part);
      }
      while (last.hasRemaining()) {
        long count = parts.length == 1 ? channel.write(last) : channel.write(parts);
        InputReader.requireBlocking(count);
        bytesWritten += count;
        file.wrote(count);
      }
    } catch (IOException e) {
      throw outputFailed(e);
    }
  }

  /** Records that the output has all blocks before an offset of the input. */
  final void completed(long inputEnd) throws FileException {
    try {
      output().completed(inputEnd);
    } catch (IOException e) {
      throw outputFailed(e);
    }
  }

  final FileException outputFailed(IOException cause) {
    return partials.isClosed()
        ? FileException.cancelled(job.output(), cause)
        : FileException.output(job.output(), bytesWritten, cause);
  }

  @Override
  public void finish() throws FileException {
    try {
      publish(input().file().permissions());
      input().file().channel().close();
    } catch (IOException e) {
      throw outputFailed(e);
    }
  }

  @Override
  public Optional<FileFailure> discard() {
    if (cipher != null) {
      cipher.close();
    }
    Optional<FileFailure> failure = Optional.empty();
    try {
      discardOutput();
    } catch (IOException e) {
      failure = Optional.of(FileException.output(job.output(), bytesWritten, e).failure());
    }
    try {
      if (input != null) {
        input.file().channel().close();
      }
    } catch (IOException e) {
      failure = Optional.of(FileException.input(job.input(), e).failure());
    }
    return failure;
  }

  @Override
  public Optional<FileFailure> suspend() {
    try {
      if (output != null) {
        output.suspend();
        output = null;
      }
    } catch (IOException e) {
      FileFailure failure = outputFailed(e).failure();
      return Optional.of(discard().map(failure::andThen).orElse(failure));
    }
    return discard();
  }

  @Override
  public FileReport.Resumed resumed() {
    return resumed;
  }

  @Override
  public FileFailure explain(Block block, TaskReply.Failed reply) {
    return FileFailure.atBlock(job.input(), block.number, reply.error());
  }

  private OutputFile output() throws IOException {
    if (output == null) {
      throw new IOException("the file is closed");
    }
    return output;
  }

  static <T> T opened(@Nullable T part) {
    if (part == null) {
      throw new IllegalStateException("used before it was opened");
    }
    return part;
  }

  @Override
  public FileJob job() {
    return job;
  }

  @Override
  public long inputBytes() {
    return input == null ? 0 : input.file().bytes();
  }

  @Override
  public long bytesRead() {
    return input == null ? 0 : input.bytesRead();
  }

  @Override
  public long bytesWritten() {
    return bytesWritten;
  }
}
