package io.dpuactors.file;

import io.dpuactors.encrypted.EncryptedHeader;
import io.dpuactors.encrypted.EncryptedHeader.Layout;
import io.dpuactors.encrypted.FileCipher;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskRequest;
import java.nio.ByteBuffer;
import org.apache.pekko.actor.typed.ActorRef;

/** Encrypts the blocks of any file. */
final class EncryptWork extends FileWork {
  private final FileJob.Encrypt job;

  EncryptWork(FileJob.Encrypt job, PartialFiles partials) {
    super(job, partials);
    this.job = job;
    EncryptedHeader header = EncryptedHeader.create(Layout.EQUAL, job.blockBytes());
    use(new BlockCipher(job.input(), FileCipher.of(job.key(), header)));
  }

  @Override
  public void open() throws FileException {
    super.open();
    append(ByteBuffer.wrap(cipher().header()));
  }

  @Override
  public Found read(Block block) throws FileException {
    return readAhead(block, cipher().header(), job.blockBytes());
  }

  @Override
  public TaskRequest request(Block block, ActorRef<TaskReply> replyTo) {
    return cipher().encrypt(block, replyTo);
  }

  @Override
  public boolean completed(Block block, TaskReply.Completed reply) throws FileException {
    cipher().check(block, FileCipher.TAG_BYTES);
    return true;
  }

  @Override
  public void write(Block block) throws FileException {
    append(BlockCipher.content(block.dst()));
  }
}
