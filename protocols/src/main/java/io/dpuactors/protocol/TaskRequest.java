package io.dpuactors.protocol;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaError;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Work for a device in a message of its own.
 *
 * <p>Sending the request lends both buffers to the context. Every request gets exactly one {@link
 * TaskReply}; each reply says whether the buffers came back with it.
 */
public non-sealed interface TaskRequest extends DeviceRequest {
  /** The input: the buffer's content, {@code [0, length)}. */
  Buffer src();

  /** The output: written from offset 0; its length is set when the task completes. */
  Buffer dst();

  /** What belongs to the kind of task beyond its buffers, in the bridge's encoding; 0 for most. */
  default long argument() {
    return 0;
  }

  /**
   * Comes back in the reply, so that one receiver can tell many requests apart. Chosen by the
   * sender.
   */
  long tag();

  /** Who gets the one answer. */
  ActorRef<TaskReply> replyTo();

  /**
   * The device has done it. Both buffers are the sender's again.
   *
   * @param crc32 as {@link TaskReply.Completed#crc32}
   * @param checksum as {@link TaskReply.Completed#checksum}
   */
  default void completed(int crc32, int checksum) {
    replyTo().tell(new TaskReply.Completed(tag(), src(), dst(), crc32, checksum));
  }

  @Override
  default void failed(DocaError error, TaskReply.Ownership ownership) {
    replyTo().tell(new TaskReply.Failed(tag(), error, src(), dst(), ownership));
  }

  @Override
  default void busy(int waiting) {
    replyTo().tell(new TaskReply.Busy(tag(), src(), dst(), waiting));
  }
}
