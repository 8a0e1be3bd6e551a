package io.dpuactors.protocol;

import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskBatch;

/** The one answer to a {@link BatchRequest}. */
public sealed interface BatchReply {
  /** The tag of the request that this answers. */
  long tag();

  /** What was sent. */
  TaskBatch batch();

  /**
   * Every task has ended, each in its own way, which the batch knows. It is the receiver's again.
   */
  record Ended(long tag, TaskBatch batch) implements BatchReply {}

  /**
   * The batch did not come to its end; its tasks' results are undefined.
   *
   * @param error why: it was not begun, or the deadline has passed, or the context has ended
   * @param ownership RETURNED: the batch is the receiver's again. RETAINED: the device still has
   *     some of it; its buffers go back to their pools by themselves, and the receiver must touch
   *     neither them nor the batch
   */
  record Failed(long tag, DocaError error, TaskBatch batch, TaskReply.Ownership ownership)
      implements BatchReply {}

  /**
   * The context's queue is full: nothing was started, try again later. The batch is the receiver's
   * again.
   *
   * @param queued requests that wait in the context's queue at the moment
   */
  record Busy(long tag, TaskBatch batch, int queued) implements BatchReply {}
}
