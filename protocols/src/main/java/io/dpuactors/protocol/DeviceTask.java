package io.dpuactors.protocol;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskKind;

/**
 * One thing that a device does: it reads the content of one buffer and writes another. Is told once
 * what came of it: by one of {@link #completed}, {@link #failed} and {@link #busy}, on the engine's
 * thread.
 */
public interface DeviceTask {
  /** What the device shall do. */
  TaskKind kind();

  /** The input: the buffer's content, {@code [0, length)}. */
  Buffer src();

  /** The output: written from offset 0; its length is set when the task completes. */
  Buffer dst();

  /** What belongs to the kind of task beyond its buffers, in the bridge's encoding; 0 for most. */
  default long argument() {
    return 0;
  }

  /**
   * The device has done it. Both buffers are the sender's again.
   *
   * @param crc32 as {@link TaskReply.Completed#crc32}
   * @param checksum as {@link TaskReply.Completed#checksum}
   */
  void completed(int crc32, int checksum);

  /**
   * It was not done, or too late.
   *
   * @param ownership whether the buffers are the sender's again
   */
  void failed(DocaError error, TaskReply.Ownership ownership);

  /**
   * There is no room. Both buffers are the sender's again, untouched.
   *
   * @param waiting requests that wait
   */
  void busy(int waiting);
}
