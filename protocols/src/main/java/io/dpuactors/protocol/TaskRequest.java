package io.dpuactors.protocol;

import io.dpuactors.bridge.DocaError;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Work for a device in a message of its own.
 *
 * <p>Sending the request lends both buffers to the context. Every request gets exactly one {@link
 * TaskReply}; each reply says whether the buffers came back with it.
 */
public interface TaskRequest extends Request, DeviceTask {
  /**
   * Comes back in the reply, so that one receiver can tell many requests apart. Chosen by the
   * sender.
   */
  long tag();

  /** Who gets the one answer. */
  ActorRef<TaskReply> replyTo();

  @Override
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

  @Override
  default void refuse(DocaError error) {
    failed(error, TaskReply.Ownership.RETURNED);
  }
}
