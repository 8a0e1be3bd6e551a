package io.dpuactors.file;

import io.dpuactors.gzip.GzipFormatException;
import io.dpuactors.gzip.GzipLimits;
import io.dpuactors.gzip.GzipMember;
import io.dpuactors.gzip.GzipSummary;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskRequest;
import java.nio.ByteBuffer;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/** Decompresses the members of a gzip file that contain their size. */
final class DecompressWork extends FileWork {
  private final FileJob.Decompress job;

  /** Trailer of the last member and, if present, header of the next member: read together. */
  private final ByteBuffer frame =
      ByteBuffer.allocateDirect(GzipMember.TRAILER_BYTES + GzipMember.HEADER_BYTES);

  private final ByteBuffer header = ByteBuffer.allocate(GzipMember.HEADER_BYTES);
  private final @Nullable GzipLimits growth;
  private @Nullable ByteBuffer carried;
  private @Nullable PoolShape wanted;
  private long offset;

  /**
   * Creates work that has read nothing.
   *
   * @param growth largest buffers for the members of a stream, whose sizes are unknown before they
   *     are read; null: the buffers are large enough for every member
   */
  DecompressWork(FileJob.Decompress job, PartialFiles partials, @Nullable GzipLimits growth) {
    super(job, partials);
    this.job = job;
    this.growth = growth;
  }

  @Override
  public void open() throws FileException {
    super.open();
    offset = bytesRead();
    frame.clear().position(GzipMember.TRAILER_BYTES);
    input().fill(frame);
    takeHeader();
  }

  /** Takes the bytes after the trailer as the next member's header, complete or not. */
  private void takeHeader() {
    int end = frame.position();
    header.clear();
    frame.flip().position(Math.min(end, GzipMember.TRAILER_BYTES));
    header.put(frame).flip();
  }

  @Override
  public Found read(Block block) throws FileException {
    if (offset > 0 && header.limit() == 0) {
      return end();
    }
    try {
      return readMember(block);
    } catch (GzipFormatException e) {
      throw FileException.damaged(job.input(), e);
    }
  }

  private Found readMember(Block block) throws GzipFormatException, FileException {
    GzipSummary.requireHeader(header.rewind(), header.limit(), offset);
    long payload = GzipMember.payloadBytes(header, offset);
    if (!fits(block, payload, 0)) {
      return Found.GROW;
    }
    ByteBuffer into = block.src().bytes().clear().limit((int) payload);
    readPayload(into, payload);
    long content = GzipMember.contentBytes(frame, 0, payload, offset);
    if (!fits(block, payload, content)) {
      carried = ByteBuffer.allocateDirect((int) payload).put(into.flip()).flip();
      return Found.GROW;
    }
    block.offset = offset;
    block.payloadBytes = (int) payload;
    block.contentBytes = (int) content;
    block.crc32 = GzipMember.crc32(frame, 0);
    block.src().length(block.payloadBytes);
    offset += memberBytes(payload);
    takeHeader();
    return needsNoDevice(block) ? Found.READY_BLOCK : Found.BLOCK;
  }

  /**
   * Reads the payload and {@link #frame}. After the buffers grew, copies the payload read before.
   */
  private void readPayload(ByteBuffer into, long payload)
      throws GzipFormatException, FileException {
    if (carried != null) {
      into.put(carried);
      carried = null;
      return;
    }
    input().fill(into, frame.clear());
    if (frame.position() < GzipMember.TRAILER_BYTES) {
      throw GzipSummary.truncated(offset, memberBytes(payload), bytesRead());
    }
  }

  private static long memberBytes(long payload) {
    return GzipMember.HEADER_BYTES + payload + GzipMember.TRAILER_BYTES;
  }

  private boolean fits(Block block, long payload, long content) throws GzipFormatException {
    long payloadRoom = block.src().capacity();
    long contentRoom = block.dst().capacity();
    if (payload <= payloadRoom && content <= contentRoom) {
      return true;
    }
    GzipLimits limits =
        growth == null ? new GzipLimits(payloadRoom, contentRoom, "the buffers' size") : growth;
    limits.check(payload, content, offset);
    wanted = new PoolShape(1, (int) payload, (int) Math.max(1, content));
    return false;
  }

  @Override
  public PoolShape wanted() {
    return wanted == null ? super.wanted() : wanted;
  }

  /** Returns whether the payload is that of an empty member, whose content it then sets. */
  static boolean needsNoDevice(Block block) {
    if (block.contentBytes != 0
        || block.crc32 != 0
        || !GzipMember.isEmptyPayload(BlockCheck.content(block.src()))) {
      return false;
    }
    block.dst().length(0);
    return true;
  }

  @Override
  public TaskRequest request(Block block, ActorRef<TaskReply> replyTo) {
    return new CompressProtocol.Inflate(block.src(), block.dst(), block.number, replyTo);
  }

  @Override
  public boolean completed(Block block, TaskReply.Completed reply) throws FileException {
    MemberCheck.check(job.input(), block, reply);
    return true;
  }

  @Override
  public FileFailure explain(Block block, TaskReply.Failed reply) {
    return MemberCheck.explain(job.input(), block, reply);
  }

  @Override
  public void write(Block block) throws FileException {
    append(BlockCheck.content(block.dst()));
    completed(block.offset + memberBytes(block.payloadBytes));
  }
}
