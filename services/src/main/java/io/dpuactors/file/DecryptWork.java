package io.dpuactors.file;

import io.dpuactors.encrypted.EncryptedFormatException;
import io.dpuactors.encrypted.EncryptedHeader;
import io.dpuactors.encrypted.EncryptedHeader.Layout;
import io.dpuactors.encrypted.FileCipher;
import io.dpuactors.file.FileFailure.Kind;
import io.dpuactors.protocol.AesGcmProtocol;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/** Decrypts the blocks of an encrypted file. Each block is authentic before it is written. */
class DecryptWork extends FileWork {
  private final FileJob job;

  /**
   * The bytes behind a block, read together with it: the size of the next block, or its first
   * bytes. Nothing: the block is the last.
   */
  private final ByteBuffer ahead = ByteBuffer.allocateDirect(Integer.BYTES);

  private @Nullable EncryptedHeader header;
  private @Nullable BlockCipher cipher;
  private @Nullable PoolShape wanted;
  private boolean atEnd;

  DecryptWork(FileJob job, PartialFiles partials) {
    super(job, partials);
    this.job = job;
  }

  @Override
  public void open() throws FileException {
    super.open();
    try {
      ByteBuffer first = ByteBuffer.allocate(EncryptedHeader.BYTES);
      fill(first);
      EncryptedHeader parsed = EncryptedHeader.parse(first.flip());
      header = parsed;
      cipher = new BlockCipher(job.input(), FileCipher.of(job.encryption().orElseThrow(), parsed));
      fill(ahead.clear());
    } catch (EncryptedFormatException e) {
      throw FileException.damaged(job.input(), e);
    } catch (IOException e) {
      throw inputFailed(e);
    }
  }

  final EncryptedHeader header() {
    return opened(header);
  }

  final BlockCipher cipher() {
    return opened(cipher);
  }

  @Override
  public Optional<ByteBuffer> key() {
    return Optional.of(cipher().keyBytes());
  }

  @Override
  public void created(AesGcmProtocol.Key key) {
    cipher().created(key);
  }

  @Override
  public Found read(Block block) throws FileException {
    if (atEnd) {
      return end();
    }
    if (!fits(block)) {
      return Found.GROW;
    }
    block.offset = bytesRead() - ahead.position();
    try {
      readBlock(block);
    } catch (IOException e) {
      throw inputFailed(e);
    }
    atEnd = ahead.position() == 0;
    block.last = atEnd;
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

  /** Reads one block and the bytes behind it. */
  private void readBlock(Block block) throws IOException, FileException {
    ByteBuffer into = block.src().bytes().clear().put(cipher().header());
    boolean isSized = header().layout() == Layout.MEMBERS;
    ahead.flip();
    if (isSized && ahead.remaining() < Integer.BYTES) {
      throw truncated(block);
    }
    int size = isSized ? size(block, ahead.getInt()) : header().blockBytes() + FileCipher.TAG_BYTES;
    into.limit(BlockCipher.HEADER_BYTES + size).put(ahead);
    fill(into, ahead.clear());
    int read = into.position() - BlockCipher.HEADER_BYTES;
    if (read < FileCipher.TAG_BYTES || (isSized && read < size)) {
      throw truncated(block);
    }
    block.src().length(into.position());
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

  @Override
  public Optional<FileFailure> discard() {
    if (cipher != null) {
      cipher.close();
    }
    return super.discard();
  }

  private static <T> T opened(@Nullable T part) {
    if (part == null) {
      throw new IllegalStateException("the header has not been read");
    }
    return part;
  }
}
