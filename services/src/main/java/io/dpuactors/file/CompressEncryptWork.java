package io.dpuactors.file;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.encrypted.CipherKey;
import io.dpuactors.encrypted.EncryptedHeader;
import io.dpuactors.encrypted.EncryptedHeader.Layout;
import io.dpuactors.encrypted.FileCipher;
import io.dpuactors.gzip.GzipMember;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskRequest;
import java.nio.ByteBuffer;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Compresses the blocks of any file to gzip members, and encrypts each member. No file and no other
 * memory is between: the buffers of a block change places between the two requests.
 *
 * <pre>
 *   deflate   source [ content ]              destination [ payload ]
 *   encrypt   source [ header | member ]      destination [ header | cipher text | tag ]
 * </pre>
 */
final class CompressEncryptWork extends CompressWork {
  private static final byte[] NOTHING = {};

  private final FileJob.Compress job;
  private final ByteBuffer size = ByteBuffer.allocateDirect(Integer.BYTES);

  CompressEncryptWork(FileJob.Compress job, CipherKey key, PartialFiles partials) {
    super(job, partials);
    this.job = job;
    EncryptedHeader header = EncryptedHeader.create(Layout.MEMBERS, (int) job.blockBytes());
    use(new BlockCipher(job.input(), FileCipher.of(key, header)));
  }

  @Override
  public void open() throws FileException {
    super.open();
    append(ByteBuffer.wrap(cipher().header()));
  }

  @Override
  public Found read(Block block) throws FileException {
    Found found = readAhead(block, NOTHING, (int) job.blockBytes());
    if (found != Found.BLOCK) {
      return found;
    }
    if (block.contentBytes == 0) {
      putEmptyMember(block);
    } else if (job.verify()) {
      block.ownCrc32 = BlockCheck.ownCrc32(block.src());
    }
    return found;
  }

  /** Makes the member of an empty file, because devices refuse to deflate nothing. */
  private void putEmptyMember(Block block) {
    ByteBuffer bytes = block.src().bytes().clear().duplicate().put(cipher().header());
    GzipMember.putEmpty(bytes);
    block.src().length(bytes.position());
    block.ciphering = true;
  }

  @Override
  public TaskRequest request(Block block, ActorRef<TaskReply> replyTo) {
    return block.ciphering ? cipher().encrypt(block, replyTo) : super.request(block, replyTo);
  }

  @Override
  public boolean completed(Block block, TaskReply.Completed reply) throws FileException {
    if (block.ciphering) {
      cipher().check(block, FileCipher.TAG_BYTES);
      return true;
    }
    if (super.completed(block, reply)) {
      putMember(block);
      block.swap();
      block.ciphering = true;
    }
    return false;
  }

  /** Moves the payload behind the headers of the file and of the member. */
  private void putMember(Block block) {
    Buffer buffer = block.dst();
    ByteBuffer bytes = buffer.bytes().clear().duplicate();
    int payload = BlockCipher.HEADER_BYTES + GzipMember.HEADER_BYTES;
    bytes.put(payload, bytes, 0, block.payloadBytes);
    bytes.put(cipher().header());
    GzipMember.putHeader(bytes, block.payloadBytes);
    bytes.position(payload + block.payloadBytes);
    GzipMember.putTrailer(bytes, block.crc32, block.contentBytes);
    buffer.length(bytes.position());
  }

  @Override
  public FileFailure explain(Block block, TaskReply.Failed reply) {
    return block.ciphering
        ? FileFailure.atBlock(job.input(), block.number, reply.error())
        : super.explain(block, reply);
  }

  @Override
  public void write(Block block) throws FileException {
    ByteBuffer content = BlockCipher.content(block.dst());
    append(size.clear().putInt(content.remaining() - FileCipher.TAG_BYTES).flip(), content);
  }
}
