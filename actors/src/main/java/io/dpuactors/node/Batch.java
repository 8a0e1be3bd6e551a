package io.dpuactors.node;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.BatchOutcome;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.BatchRequest;
import io.dpuactors.protocol.DeviceTask;
import io.dpuactors.protocol.TaskReply.Ownership;

/**
 * The tasks of a {@link BatchRequest} on their way through a lane, each by itself, until the last
 * of them has ended and the one answer goes out. Window, retries, deadline and the end of the
 * context are the lane's matter, as for single tasks. Engine's thread.
 */
public final class Batch {
  private final BatchRequest request;
  private final BatchOutcome outcome;
  private int left;

  private Batch(BatchRequest request) {
    this.request = request;
    this.left = request.sources().size();
    this.outcome = new BatchOutcome(left);
  }

  /** Takes a batch as a whole, or not at all; it is answered now or later, once. */
  public static void accept(TaskLane<DeviceTask> lane, BatchRequest request) {
    int count = request.sources().size();
    DocaError over = lane.over();
    if (over != null) {
      request.refuse(over);
    } else if (count > lane.mostRoom()) {
      request.refuse(tooMany(count, lane.mostRoom()));
    } else if (lane.room(request.kind()) < count) {
      request
          .replyTo()
          .tell(
              new BatchReply.Busy(
                  request.tag(), request.sources(), request.destinations(), lane.waiting()));
    } else {
      new Batch(request).enter(lane);
    }
  }

  private static DocaError tooMany(int count, int most) {
    return DocaError.of(
        "doca_task_submit",
        DocaCode.TOO_BIG.value(),
        "a batch of %d tasks; window and queue have room for %d".formatted(count, most));
  }

  private void enter(TaskLane<DeviceTask> lane) {
    int count = outcome.size();
    for (int i = 0; i < count; i++) {
      lane.accept(new Task(this, i, request.sources().get(i), request.destinations().get(i)));
    }
  }

  private void ended() {
    if (--left == 0) {
      request
          .replyTo()
          .tell(
              new BatchReply.Ended(
                  request.tag(), request.sources(), request.destinations(), outcome));
    }
  }

  /** One of them. */
  private record Task(Batch batch, int number, Buffer src, Buffer dst) implements DeviceTask {
    @Override
    public TaskKind kind() {
      return batch.request.kind();
    }

    @Override
    public void completed(int crc32, int checksum) {
      batch.outcome.done(number, crc32, checksum);
      batch.ended();
    }

    @Override
    public void failed(DocaError error, Ownership ownership) {
      batch.outcome.failed(number, error, ownership);
      batch.ended();
    }

    @Override
    public void busy(int waiting) {
      failed(
          DocaError.of("doca_task_submit", DocaCode.FULL.value(), waiting + " requests wait"),
          Ownership.RETURNED);
    }
  }
}
