package io.dpuactors.protocol;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskKind;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Work for a device: read the content of one buffer, write another.
 *
 * <p>Sending the request lends both buffers to the context. Every request gets exactly one {@link
 * TaskReply}; each reply says whether the buffers came back with it.
 */
public interface TaskRequest extends Request {
  /** What the device shall do. */
  TaskKind kind();

  /** The input: the buffer's content, {@code [0, length)}. */
  Buffer src();

  /** The output: written from offset 0; its length is set when the task completes. */
  Buffer dst();

  /**
   * Comes back in the reply, so that one receiver can tell many requests apart. Chosen by the
   * sender.
   */
  long tag();

  /** What belongs to the kind of task beyond its buffers, in the bridge's encoding; 0 for most. */
  default long argument() {
    return 0;
  }

  /** Who gets the one answer. */
  ActorRef<TaskReply> replyTo();

  @Override
  default void refuse(DocaError error) {
    replyTo().tell(new TaskReply.Failed(tag(), error, src(), dst(), TaskReply.Ownership.RETURNED));
  }
}
