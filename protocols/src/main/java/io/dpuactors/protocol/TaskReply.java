package io.dpuactors.protocol;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.Carried;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;

/** The answer to a {@link TaskRequest}: {@link Completed}, {@link Failed} or {@link Busy}. */
public sealed interface TaskReply extends BufferReply
    permits TaskReply.Completed, TaskReply.Failed, BusyReplies.TaskBusy {
  /** Returns the tag of the request. */
  long tag();

  /** Returns the input of the request. */
  Buffer src();

  /** Returns the output of the request. */
  Buffer dst();

  @Override
  default Carried carried() {
    return src();
  }

  @Override
  default Carried alsoCarried() {
    return dst();
  }

  /**
   * The device has completed the task. The receiver owns both buffers again.
   *
   * @param tag of the request
   * @param src the input, unchanged
   * @param dst the output; the device wrote {@code dst.length()} bytes
   * @param crc32 CRC-32 that the device computed over the uncompressed bytes; 0 for kinds without
   *     one
   * @param checksum Adler-32 (deflate kinds) or xxHash-32 (LZ4 kinds) over the uncompressed bytes;
   *     0 for kinds without one
   */
  record Completed(long tag, Buffer src, Buffer dst, int crc32, int checksum)
      implements TaskReply {}

  /**
   * The request failed in the device or the context, or its deadline passed.
   *
   * @param tag of the request
   * @param error operation, code and subject
   * @param src the input
   * @param dst the output; its content is undefined
   * @param ownership whether the receiver owns the buffers again
   */
  record Failed(long tag, DocaError error, Buffer src, Buffer dst, Ownership ownership)
      implements TaskReply {
    /** Returns the DOCA code of the failure. */
    public DocaCode code() {
      return error.code();
    }
  }

  /** Owner of the buffers of a failed request. */
  enum Ownership {
    /** The receiver of the reply owns the buffers, and releases or reuses them. */
    RETURNED,
    /**
     * The device still holds the buffers and may write to them, because the request's deadline
     * passed first. The buffers return to their pools when the device completes; the receiver must
     * not use them.
     */
    RETAINED
  }
}
