package io.dpuactors.file;

import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskRequest;
import org.apache.pekko.actor.typed.ActorRef;

/** Copies the blocks of any file with the device. */
final class CopyWork extends FileWork {
  private final FileJob.Copy job;

  CopyWork(FileJob.Copy job, PartialFiles partials) {
    super(job, partials);
    this.job = job;
  }

  @Override
  public Found read(Block block) throws FileException {
    return readContent(block, job.blockBytes(), job.verify());
  }

  @Override
  public TaskRequest request(Block block, ActorRef<TaskReply> replyTo) {
    return new DmaProtocol.Copy(block.src(), block.dst(), block.number, replyTo);
  }

  @Override
  public boolean completed(Block block, TaskReply.Completed reply) throws FileException {
    BlockCheck.requireBytes(job.input(), block, block.contentBytes);
    if (job.verify()) {
      int crc32 = BlockCheck.ownCrc32(block.dst());
      if (crc32 != block.ownCrc32) {
        throw BlockCheck.wrong(
            job.input(),
            block,
            "the input has CRC-32 %08x, the copy %08x".formatted(block.ownCrc32, crc32));
      }
    }
    return true;
  }

  @Override
  public void write(Block block) throws FileException {
    append(BlockCheck.content(block.dst()));
  }
}
