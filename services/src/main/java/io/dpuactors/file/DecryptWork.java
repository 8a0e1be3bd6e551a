package io.dpuactors.file;

import io.dpuactors.encrypted.EncryptedFormatException;
import io.dpuactors.encrypted.EncryptedHeader;
import io.dpuactors.encrypted.EncryptedHeader.Layout;
import io.dpuactors.encrypted.FileCipher;
import io.dpuactors.file.FileFailure.Kind;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskRequest;
import java.nio.ByteBuffer;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/** Decrypts the blocks of an encrypted file. Each block is authentic before it is written. */
class DecryptWork extends FileWork {
  private final FileJob job;

  private @Nullable EncryptedHeader header;
  private @Nullable PoolShape wanted;

  DecryptWork(FileJob job, PartialFiles partials) {
    super(job, partials);
    this.job = job;
  }

  /** The bytes behind a block are the size of the next block, or its first bytes. */
  @Override
  int aheadBytes() {
    return Integer.BYTES;
  }

  @Override
  public void open() throws FileException {
    super.open();
    try {
      ByteBuffer first = ByteBuffer.allocate(EncryptedHeader.BYTES);
      input().fill(first);
      EncryptedHeader parsed = EncryptedHeader.parse(first.flip());
      header = parsed;
      use(new BlockCipher(job.input(), FileCipher.of(job.encryption().orElseThrow(), parsed)));
      ahead().begin();
    } catch (EncryptedFormatException e) {
      throw FileException.damaged(job.input(), e);
    }
  }

  final EncryptedHeader header() {
    return opened(header);
  }

  @Override
  public Found read(Block block) throws FileException {
    if (ahead().hasReadLast()) {
      return end();
    }
    if (!fits(block)) {
      return Found.GROW;
    }
    block.offset = ahead().offset();
    readBlock(block);
    return Found.BLOCK;
  }

  private boolean fits(Block block) {
    PoolShape shape = PoolShape.forEncrypted(1, header());
    wanted = shape;
    return block.src().capacity() >= shape.sourceBytes()
        && block.dst().capacity() >= shape.destinationBytes();
  }

  @Override
  public PoolShape wanted() {
    return wanted == null ? super.wanted() : wanted;
  }

  /** Reads one block, whose size its header or the bytes before it state. */
  private void readBlock(Block block) throws FileException {
    ByteBuffer into = block.src().bytes().clear().put(cipher().header());
    boolean isSized = header().layout() == Layout.MEMBERS;
    ByteBuffer before = ahead().ahead();
    if (isSized && before.remaining() < Integer.BYTES) {
      throw truncated(block);
    }
    int size =
        isSized ? size(block, before.getInt()) : header().blockBytes() + FileCipher.TAG_BYTES;
    ahead().read(block, into.limit(BlockCipher.HEADER_BYTES + size));
    int read = into.position() - BlockCipher.HEADER_BYTES;
    if (read < FileCipher.TAG_BYTES || (isSized && read < size)) {
      throw truncated(block);
    }
  }

  private int size(Block block, int contentBytes) throws FileException {
    if (contentBytes < 0 || contentBytes > PoolShape.memberBytes(header().blockBytes())) {
      throw damaged(
          "damaged: block %d has the impossible size of %d bytes"
              .formatted(block.number, Integer.toUnsignedLong(contentBytes)));
    }
    return contentBytes + FileCipher.TAG_BYTES;
  }

  private FileException truncated(Block block) {
    return damaged(
        "truncated: the file ends after %d bytes, inside block %d"
            .formatted(bytesRead(), block.number));
  }

  final FileException damaged(String how) {
    return new FileException(FileFailure.of(Kind.INPUT, job.input(), how));
  }

  @Override
  public TaskRequest request(Block block, ActorRef<TaskReply> replyTo) {
    return cipher().decrypt(block, replyTo);
  }

  @Override
  public boolean completed(Block block, TaskReply.Completed reply) throws FileException {
    cipher().check(block, -FileCipher.TAG_BYTES);
    return true;
  }

  @Override
  public FileFailure explain(Block block, TaskReply.Failed reply) {
    return cipher().explain(block, reply);
  }

  @Override
  public void write(Block block) throws FileException {
    append(BlockCipher.content(block.dst()));
  }
}
