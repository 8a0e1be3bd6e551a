package io.dpuactors.protocol;

import io.dpuactors.bridge.Carried;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskBatch;

/** The answer to a {@link BatchRequest}: {@link Ended}, {@link BatchFailed} or {@link Busy}. */
public sealed interface BatchReply extends BufferReply
    permits BatchReply.Ended, BatchReply.BatchFailed, BusyReplies.BatchBusy {
  /** Returns the tag of the request. */
  long tag();

  /** Returns the batch of the request. */
  TaskBatch batch();

  @Override
  default Carried carried() {
    return batch();
  }

  /**
   * Every task of the batch has completed or failed; the batch holds each result. The receiver owns
   * the batch again.
   */
  record Ended(long tag, TaskBatch batch) implements BatchReply {}

  /**
   * The batch did not complete; the results of its tasks are undefined.
   *
   * @param error the cause: the batch was not started, its deadline passed, or the context ended
   * @param ownership RETURNED: the receiver owns the batch again. RETAINED: the device still holds
   *     some of its buffers, which return to their pools later; the receiver must use neither them
   *     nor the batch
   */
  record BatchFailed(long tag, DocaError error, TaskBatch batch, TaskReply.Ownership ownership)
      implements BatchReply {}
}
