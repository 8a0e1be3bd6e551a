package io.dpuactors.protocol;

import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskBatch;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * One run of a {@link TaskBatch}: many tasks of one kind in one message. They go to the device in
 * order, as many at a time as the context's window says, and share it with what comes before and
 * after; they have one deadline, and one {@link BatchReply}, when the last of them has ended. In
 * the context's queue a batch is one request.
 *
 * <p>Sending it gives the batch to the context until the reply.
 */
public non-sealed interface BatchRequest extends DeviceRequest {
  /** The tasks. */
  TaskBatch batch();

  /** Comes back in the reply. Chosen by the sender. */
  long tag();

  /** Who gets the one answer. */
  ActorRef<BatchReply> replyTo();

  /** Every task has its result. */
  default void ended() {
    replyTo().tell(new BatchReply.Ended(tag(), batch()));
  }

  @Override
  default void failed(DocaError error, TaskReply.Ownership ownership) {
    replyTo().tell(new BatchReply.Failed(tag(), error, batch(), ownership));
  }

  @Override
  default void busy(int waiting) {
    replyTo().tell(new BatchReply.Busy(tag(), batch(), waiting));
  }
}
