package io.dpuactors.file;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.file.FileFailure.Kind;
import io.dpuactors.gzip.GzipMember;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskRequest;
import java.nio.ByteBuffer;
import org.apache.pekko.actor.typed.ActorRef;

/** Compresses the blocks of any file to members of a gzip file. */
class CompressWork extends FileWork {
  private final FileJob.Compress job;
  private final ByteBuffer header = ByteBuffer.allocateDirect(GzipMember.HEADER_BYTES);
  private final ByteBuffer trailer = ByteBuffer.allocateDirect(GzipMember.TRAILER_BYTES);

  CompressWork(FileJob.Compress job, PartialFiles partials) {
    super(job, partials);
    this.job = job;
  }

  @Override
  public Found read(Block block) throws FileException {
    return readContent(block, job.blockBytes(), job.verify());
  }

  @Override
  public TaskRequest request(Block block, ActorRef<TaskReply> replyTo) {
    return block.verifying
        ? new CompressProtocol.Inflate(
            /* src= */ block.dst(), /* dst= */ block.src(), block.number, replyTo)
        : new CompressProtocol.Deflate(block.src(), block.dst(), block.number, replyTo);
  }

  @Override
  public boolean completed(Block block, TaskReply.Completed reply) throws FileException {
    if (block.verifying) {
      checkSecondResult(block, reply);
      return true;
    }
    block.payloadBytes = block.dst().length();
    block.crc32 = reply.crc32();
    if (block.payloadBytes < GzipMember.MIN_PAYLOAD_BYTES) {
      throw BlockCheck.wrong(
          job.input(),
          block,
          "the device deflated %d bytes to %d, which is too small"
              .formatted(block.contentBytes, block.payloadBytes));
    }
    if (job.verify() && block.crc32 != block.ownCrc32) {
      throw BlockCheck.wrong(
          job.input(),
          block,
          "the device's CRC-32 is %08x, that of the input is %08x"
              .formatted(block.crc32, block.ownCrc32));
    }
    block.verifying = job.verify();
    return !block.verifying;
  }

  /**
   * Checks the inflated block. The check has overwritten the input, whose CRC-32 and length are
   * known.
   */
  private void checkSecondResult(Block block, TaskReply.Completed reply) throws FileException {
    int came = block.src().length();
    if (came != block.contentBytes) {
      throw BlockCheck.wrong(
          job.input(), block, "%d bytes inflate to %d".formatted(block.contentBytes, came));
    }
    int own = BlockCheck.ownCrc32(block.src());
    if (own != block.ownCrc32 || reply.crc32() != own) {
      throw BlockCheck.wrong(
          job.input(),
          block,
          "the input has CRC-32 %08x, the inflated block %08x".formatted(block.ownCrc32, own));
    }
  }

  /**
   * Only IO_FAILED means that the deflated block is damaged. After any other error the check has no
   * result, so a later process can continue the output.
   */
  @Override
  public FileFailure explain(Block block, TaskReply.Failed reply) {
    if (!block.verifying || reply.error().code() != DocaCode.IO_FAILED) {
      return super.explain(block, reply);
    }
    return FileFailure.atBlock(
        Kind.VERIFY,
        job.input(),
        block.number,
        "verification failed: the deflated block does not inflate: " + reply.error());
  }

  @Override
  public void write(Block block) throws FileException {
    GzipMember.putHeader(header.clear(), block.payloadBytes);
    GzipMember.putTrailer(trailer.clear(), block.crc32, block.contentBytes);
    ByteBuffer payload = block.dst().bytes().clear().limit(block.payloadBytes);
    append(header.flip(), payload, trailer.flip());
    completed(block.offset + block.contentBytes);
  }

  @Override
  public void finish() throws FileException {
    if (bytesWritten() == 0) {
      ByteBuffer empty =
          ByteBuffer.allocate(
              GzipMember.HEADER_BYTES + GzipMember.MIN_PAYLOAD_BYTES + GzipMember.TRAILER_BYTES);
      GzipMember.putEmpty(empty);
      append(empty.flip());
    }
    super.finish();
  }
}
