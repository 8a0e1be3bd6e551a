package io.dpuactors.node;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.internal.CompletionRing;
import io.dpuactors.bridge.internal.RecordType;
import org.jspecify.annotations.Nullable;

/** Why a {@link TaskLane} accepts no more requests, and the errors of its last tasks. */
final class LaneEnd {
  /** Result of tasks that the device has not started when their context is stopped. */
  private static final DocaCode FLUSHED = DocaCode.IO_FAILED;

  private @Nullable DocaError finishing;
  private @Nullable DocaError closed;
  private @Nullable DocaError stopReason;
  private boolean hasFailed;

  /** Returns why the lane accepts no more requests, or null. */
  @Nullable DocaError over() {
    return closed != null ? closed : finishing;
  }

  /** Returns whether the lane submits nothing more. */
  boolean isClosed() {
    return closed != null;
  }

  /** Refuses new requests. */
  void finish(DocaError reason) {
    finishing = reason;
  }

  /** Closes the lane. Returns false if it was closed before. */
  boolean close(DocaError reason) {
    boolean isFirst = closed == null;
    if (isFirst) {
      closed = reason;
    }
    return isFirst;
  }

  /** Records that the context has failed, unless the lane is closed already. */
  void fail() {
    hasFailed |= closed == null;
  }

  /** Records why the context is stopped, see {@link TaskLane#stopping}. */
  void stopping(DocaError reason) {
    if (!hasFailed && stopReason == null) {
      stopReason = closed == null ? reason : closed;
    }
  }

  /** Replaces the code of flushed tasks in the results of a batch. */
  <R> void correct(Requests<R> requests, R request) {
    if (stopReason != null) {
      requests.correct(request, FLUSHED, stopReason.code());
    }
  }

  /** Returns the error of a task whose record reports a failure. */
  DocaError error(CompletionRing record, String about) {
    boolean refused = record.type() == RecordType.REFUSED;
    DocaError over = refused ? closed : record.status() == FLUSHED.value() ? stopReason : null;
    return over != null
        ? over
        : DocaError.of(refused ? "doca_task_submit" : "doca_task", record.status(), about);
  }
}
