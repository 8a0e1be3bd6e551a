package io.dpuactors.protocol;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaError;
import java.util.List;

/** The one answer to a {@link BatchRequest}. */
public sealed interface BatchReply {
  /** The tag of the request that this answers. */
  long tag();

  /** The inputs, as they were sent. */
  List<Buffer> sources();

  /** The outputs, as they were sent. */
  List<Buffer> destinations();

  /**
   * Every task has ended, each in its own way. All buffers are the receiver's again but those of
   * tasks that {@link BatchOutcome#isRetained} names.
   *
   * @param outcome of each task
   */
  record Ended(long tag, List<Buffer> sources, List<Buffer> destinations, BatchOutcome outcome)
      implements BatchReply {}

  /** Nothing was started; why. All buffers are the receiver's again. */
  record Refused(long tag, DocaError error, List<Buffer> sources, List<Buffer> destinations)
      implements BatchReply {}

  /**
   * The context's window and queue have no room for all of it: nothing was started, try again
   * later. All buffers are the receiver's again, untouched.
   *
   * @param queued requests that wait in the context's queue at the moment
   */
  record Busy(long tag, List<Buffer> sources, List<Buffer> destinations, int queued)
      implements BatchReply {}
}
