package io.dpuactors.protocol;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaError;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * One task for a device in one message.
 *
 * <p>The sender lends both buffers to the context. Every request gets exactly one {@link
 * TaskReply}, which states the owner of the buffers.
 */
public interface TaskRequest extends DeviceRequest {
  /** Returns the input: the buffer's content, {@code [0, length)}. */
  @Override
  Buffer src();

  /** Returns the output. The device writes from offset 0; completion sets the length. */
  @Override
  Buffer dst();

  /** Returns whether the object is a session that ends with this task, or with its failure. */
  default boolean endsSession(boolean hasFailed) {
    return false;
  }

  /**
   * Returns the tag that the reply repeats, so that a receiver can match replies with requests. The
   * sender chooses it.
   */
  long tag();

  /** Returns the receiver of the answer. */
  @Override
  ActorRef<TaskReply> replyTo();

  /**
   * Answers that the device has completed the task. The sender owns both buffers again.
   *
   * @param crc32 as {@link TaskReply.Completed#crc32}
   * @param checksum as {@link TaskReply.Completed#checksum}
   */
  default void completed(int crc32, int checksum) {
    BufferReply.send(replyTo(), new TaskReply.Completed(tag(), src(), dst(), crc32, checksum));
  }

  @Override
  default void failed(DocaError error, TaskReply.Ownership ownership) {
    BufferReply.send(replyTo(), new TaskReply.Failed(tag(), error, src(), dst(), ownership));
  }

  @Override
  default void busy(int waiting) {
    BufferReply.send(replyTo(), new BusyReplies.TaskBusy(tag(), src(), dst(), waiting));
  }
}
