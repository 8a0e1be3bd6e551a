package io.dpuactors.file;

import io.dpuactors.encrypted.EncryptedHeader.Layout;
import io.dpuactors.gzip.GzipFormatException;
import io.dpuactors.gzip.GzipMember;
import io.dpuactors.gzip.GzipSummary;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskRequest;
import java.nio.ByteBuffer;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Decrypts the gzip members of a file, and decompresses each. The buffers of a block change places
 * between the two requests.
 *
 * <pre>
 *   decrypt   source [ header | cipher text | tag ]   destination [ header | member ]
 *   inflate   source [ payload ]                      destination [ content ]
 * </pre>
 */
final class DecryptDecompressWork extends DecryptWork {
  private final FileJob.Decompress job;

  DecryptDecompressWork(FileJob.Decompress job, PartialFiles partials) {
    super(job, partials);
    this.job = job;
  }

  @Override
  public void open() throws FileException {
    super.open();
    if (header().layout() != Layout.MEMBERS) {
      throw damaged("is encrypted, but not compressed: use dpu decrypt");
    }
    if (header().blockBytes() > job.maxMemberBytes()) {
      throw damaged(
          "has blocks of up to %d bytes, more than the requested limit of %d bytes"
              .formatted(header().blockBytes(), job.maxMemberBytes()));
    }
  }

  @Override
  public Found read(Block block) throws FileException {
    Found found = super.read(block);
    block.ciphering = true;
    return found;
  }

  @Override
  public TaskRequest request(Block block, ActorRef<TaskReply> replyTo) {
    return block.ciphering
        ? super.request(block, replyTo)
        : new CompressProtocol.Inflate(block.src(), block.dst(), block.number, replyTo);
  }

  @Override
  public boolean completed(Block block, TaskReply.Completed reply) throws FileException {
    if (!block.ciphering) {
      MemberCheck.check(job.input(), block, reply);
      return true;
    }
    super.completed(block, reply);
    block.ciphering = false;
    try {
      takePayload(block);
    } catch (GzipFormatException e) {
      throw FileException.damaged(job.input(), e);
    }
    block.swap();
    return DecompressWork.needsNoDevice(block);
  }

  /** Reads the frame of the member, and moves its payload to the beginning of the buffer. */
  private void takePayload(Block block) throws GzipFormatException, FileException {
    ByteBuffer member = BlockCipher.content(block.dst()).slice();
    GzipSummary.requireHeader(member, member.limit(), 0);
    long payload = GzipMember.payloadBytes(member, 0);
    if (GzipMember.HEADER_BYTES + payload + GzipMember.TRAILER_BYTES != member.limit()) {
      throw damaged("damaged: block %d is not one gzip member".formatted(block.number));
    }
    int trailer = member.limit() - GzipMember.TRAILER_BYTES;
    long content = GzipMember.contentBytes(member, trailer, payload, 0);
    if (content > header().blockBytes()) {
      throw damaged(
          "damaged: block %d has %d bytes, more than the block size"
              .formatted(block.number, content));
    }
    block.payloadBytes = (int) payload;
    block.contentBytes = (int) content;
    block.crc32 = GzipMember.crc32(member, trailer);
    ByteBuffer bytes = block.dst().bytes().clear();
    bytes.put(0, bytes, BlockCipher.HEADER_BYTES + GzipMember.HEADER_BYTES, block.payloadBytes);
    block.dst().length(block.payloadBytes);
  }

  @Override
  public FileFailure explain(Block block, TaskReply.Failed reply) {
    return block.ciphering
        ? super.explain(block, reply)
        : MemberCheck.explain(job.input(), block, reply);
  }

  @Override
  public void write(Block block) throws FileException {
    append(BlockCheck.content(block.dst()));
  }
}
