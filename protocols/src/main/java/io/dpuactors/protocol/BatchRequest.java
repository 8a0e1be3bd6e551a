package io.dpuactors.protocol;

import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskBatch;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * One run of a {@link TaskBatch}: many tasks of one kind in one message. The tasks go to the device
 * in order and share the context's window with earlier and later requests. A batch has one deadline
 * and one {@link BatchReply}, after its last task. In the context's queue, a batch counts as one
 * request.
 *
 * <p>The sender lends the batch to the context until the reply.
 */
public interface BatchRequest extends DeviceRequest {
  /** Returns the tasks. */
  @Override
  TaskBatch batch();

  /** Returns the tag that the reply repeats. The sender chooses it. */
  long tag();

  /** Returns the receiver of the answer. */
  @Override
  ActorRef<BatchReply> replyTo();

  /** Answers that every task has its result. */
  default void ended() {
    BufferReply.send(replyTo(), new BatchReply.Ended(tag(), batch()));
  }

  @Override
  default void failed(DocaError error, TaskReply.Ownership ownership) {
    BufferReply.send(replyTo(), new BatchReply.BatchFailed(tag(), error, batch(), ownership));
  }

  @Override
  default void busy(int waiting) {
    BufferReply.send(replyTo(), new BusyReplies.BatchBusy(tag(), batch(), waiting));
  }
}
