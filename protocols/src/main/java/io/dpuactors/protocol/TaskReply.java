package io.dpuactors.protocol;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;

/** The one answer to a {@link TaskRequest}. */
public sealed interface TaskReply {
  /** The tag of the request that this answers. */
  long tag();

  /**
   * The device has done it. Both buffers are the receiver's again.
   *
   * @param tag of the request
   * @param src the input, as it was sent
   * @param dst the output; {@code dst.length()} bytes were written
   * @param crc32 CRC-32 that the device computed over the uncompressed bytes; 0 for kinds that have
   *     none
   * @param checksum Adler-32 (deflate kinds) or xxHash-32 (LZ4 kinds) over the uncompressed bytes;
   *     0 for kinds that have none
   */
  record Completed(long tag, Buffer src, Buffer dst, int crc32, int checksum)
      implements TaskReply {}

  /**
   * The device, the context or a deadline has ended the request without a result.
   *
   * @param tag of the request
   * @param error operation, code and what it was about
   * @param src the input
   * @param dst the output; its content is undefined
   * @param ownership whether the buffers are the receiver's again
   */
  record Failed(long tag, DocaError error, Buffer src, Buffer dst, Ownership ownership)
      implements TaskReply {
    /** The DOCA code of the failure. */
    public DocaCode code() {
      return error.code();
    }
  }

  /**
   * The context's window and queue are full: nothing was started, try again later. Both buffers are
   * the receiver's again.
   *
   * @param tag of the request
   * @param src the input, untouched
   * @param dst the output, untouched
   * @param queued requests that wait in the context's queue at the moment
   */
  record Busy(long tag, Buffer src, Buffer dst, int queued) implements TaskReply {}

  /** Who holds the buffers of a request that has failed. */
  enum Ownership {
    /** The receiver of the reply, who releases or re-uses them. */
    RETURNED,
    /**
     * Still the device, which may yet write to them: the request's deadline passed first. They go
     * back to their pool by themselves when the device lets go; the receiver must not touch them.
     */
    RETAINED
  }
}
