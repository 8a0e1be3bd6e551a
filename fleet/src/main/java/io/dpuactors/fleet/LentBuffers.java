package io.dpuactors.fleet;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.gzip.GzipMember;
import io.dpuactors.protocol.TaskRequest;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The buffers of a request, which are lent to the fleet until the answer. The checks are those of a
 * context of an engine. A fleet copies the content, so that a buffer needs a view and no chain.
 *
 * @param content the view of the source; stays valid if the holder ends before the answer
 */
record LentBuffers(Buffer src, Buffer dst, ByteBuffer content, ByteBuffer room) {
  private static final String BORROWER = "fleet";

  /** Returns why no node could execute a request, or null. */
  static @Nullable String problem(TaskRequest request) {
    String why = problem(request.src());
    why = why == null ? problem(request.dst()) : why;
    if (why != null) {
      return why;
    }
    if (request.src() == request.dst()) {
      return "source and destination are the same buffer";
    }
    int bytes = request.src().length();
    if (bytes == 0) {
      return "the source buffer is empty";
    }
    return needed(request.kind(), bytes) > FleetMessage.MAX_BLOCK_BYTES
        ? "a block of %d bytes; a block of a fleet has at most %d"
            .formatted(bytes, maxInputBytes(request.kind()))
        : null;
  }

  private static @Nullable String problem(@Nullable Buffer buffer) {
    if (buffer == null) {
      return "a buffer is null";
    }
    if (!buffer.isLeased()) {
      return "a buffer was already returned to its pool";
    }
    if (buffer.isBehindAnother() || buffer.elements() > 1) {
      return "a fleet accepts no chains";
    }
    return buffer.isAimed() ? "a fleet accepts no aimed buffers" : null;
  }

  private static long needed(TaskKind kind, int bytes) {
    return kind == TaskKind.COMPRESS_DEFLATE ? GzipMember.maxPayloadBytes(bytes) : bytes;
  }

  private static int maxInputBytes(TaskKind kind) {
    return kind == TaskKind.COMPRESS_DEFLATE
        ? FleetEngine.MAX_CONTENT_BYTES
        : FleetMessage.MAX_BLOCK_BYTES;
  }

  /** Lends the buffers of a request without a problem; returns null if another request has one. */
  static @Nullable LentBuffers of(TaskRequest request) {
    Buffer src = request.src();
    Buffer dst = request.dst();
    if (!src.take(BORROWER)) {
      return null;
    }
    if (!dst.take(BORROWER)) {
      src.returnTaken();
      return null;
    }
    try {
      return new LentBuffers(src, dst, src.bytes().duplicate(), dst.bytes().duplicate());
    } catch (IllegalStateException e) { // the holder has ended at this moment
      src.returnTaken();
      dst.returnTaken();
      return null;
    }
  }

  /** Ends the loan, just before the answer. */
  void end() {
    src.returnTaken();
    dst.returnTaken();
  }
}
