package io.dpuactors.simulation;

import io.dpuactors.bridge.BatchResults;
import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.BatchReply.BatchFailed;
import io.dpuactors.protocol.BatchReply.Ended;
import io.dpuactors.protocol.BatchRequest;
import io.dpuactors.protocol.Busy;
import io.dpuactors.protocol.DeviceRequest;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.protocol.TaskRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The requests of one client that have no answer yet, and the checks of their answers. */
final class SentRequests {
  private record Sent(List<TaskModel.Work> works, TaskPromises.Lane lane, long atNs) {}

  private final String name;
  private final Run run;
  private final boolean isCalm;
  private final TaskObjects objects;
  private final TaskPromises promises;
  private final Map<Long, Sent> unanswered = new LinkedHashMap<>();
  private int count;
  private int own;
  private int beforeStop;
  private int wrong;

  /**
   * Creates an empty set.
   *
   * @param name of the client
   * @param isCalm whether nothing disturbs the run
   */
  SentRequests(String name, Run run, boolean isCalm, TaskObjects objects, TaskPromises promises) {
    this.name = name;
    this.run = run;
    this.isCalm = isCalm;
    this.objects = objects;
    this.promises = promises;
  }

  /** Returns the tag of the next request. */
  long nextTag() {
    return count++;
  }

  /** Adds a request whose answer the client receives. Returns the request. */
  TaskRequest add(Object message, TaskModel.Work work) {
    TaskRequest request = (TaskRequest) message;
    add(request.tag(), request, request.src(), List.of(work));
    return request;
  }

  /** Adds a batch whose answer the client receives. Returns the request. */
  BatchRequest addBatch(Object message, List<TaskModel.Work> works) {
    BatchRequest request = (BatchRequest) message;
    add(request.tag(), request, request.batch().sources().get(0), works);
    return request;
  }

  private void add(long tag, DeviceRequest request, Buffer src, List<TaskModel.Work> works) {
    TaskPromises.Lane lane = new TaskPromises.Lane(request.kind(), src.pool());
    own++;
    unanswered.put(tag, new Sent(works, lane, run.nowNs()));
  }

  /** Returns the number of all requests. */
  int count() {
    return count;
  }

  /** Returns the number of requests without an answer. */
  int unanswered() {
    return unanswered.size();
  }

  /** Returns the number of wrong outputs. */
  int wrong() {
    return wrong;
  }

  /** The client stops the context: requests that wait may fail. */
  void stopping() {
    beforeStop = count;
  }

  /** Returns whether the client has stopped a context. */
  boolean hasStopped() {
    return beforeStop > 0;
  }

  /** Checks an answer. */
  void answered(TaskReply reply) {
    Sent request = take(reply.tag(), reply);
    if (request == null) {
      return;
    }
    String result = "busy";
    if (reply instanceof Completed completed) {
      result = "completed";
      check(request.works().get(0), completed);
    } else if (reply instanceof Failed failed) {
      result = failed.code().name();
      onFailed(failed.tag(), failed.error(), request.works().get(0).fails());
    } else if (reply instanceof Busy) {
      onBusy(reply.tag(), request.lane());
    }
    promises.answered(request.lane(), reply, run.nowNs() - request.atNs());
    note(reply.tag(), result);
  }

  /** Checks the answer of a batch: for the order and the deadline it is one request. */
  void answered(BatchReply reply) {
    Sent request = take(reply.tag(), reply);
    if (request == null) {
      return;
    }
    TaskBatch batch = reply.batch();
    Buffer src = batch.sources().get(0);
    Buffer dst = batch.destinations().get(0);
    long afterNs = run.nowNs() - request.atNs();
    if (reply instanceof Ended) {
      checkTasks(reply.tag(), batch, request.works());
      promises.answered(request.lane(), new Completed(reply.tag(), src, dst, 0, 0), afterNs);
      note(reply.tag(), "batch ended");
    } else if (reply instanceof BatchFailed failed) {
      onFailed(failed.tag(), failed.error(), false);
      promises.answered(
          request.lane(),
          new Failed(failed.tag(), failed.error(), src, dst, failed.ownership()),
          afterNs);
      note(reply.tag(), "batch " + failed.error().code());
    } else {
      onBusy(reply.tag(), request.lane());
      note(reply.tag(), "batch busy");
    }
  }

  private @Nullable Sent take(long tag, Object reply) {
    Sent request = unanswered.remove(tag);
    run.check(request != null, "request %d has two answers; the second is %s", tag, reply);
    return request;
  }

  private void note(long tag, String result) {
    run.note(name + " " + tag + " " + result);
    run.reached(result);
  }

  /** Each task of an ended batch has one result. */
  private void checkTasks(long tag, TaskBatch batch, List<TaskModel.Work> works) {
    BatchResults results = batch.results();
    int failures = 0;
    for (int task = 0; task < batch.size(); task++) {
      DocaError error = results.error(task);
      Buffer dst = batch.destinations().get(task);
      run.check(
          dst.length() == results.produced(task),
          "task %d wrote %d bytes, and its buffer has %d",
          task,
          results.produced(task),
          dst.length());
      if (error == null) {
        Buffer src = batch.sources().get(task);
        int crc32 = results.crc32(task);
        check(works.get(task), new Completed(tag, src, dst, crc32, results.checksum(task)));
      } else {
        failures++;
        onFailed(tag, error, works.get(task).fails());
        run.reached("task of a batch " + error.code());
      }
    }
    run.check(
        results.ended() == batch.size() && results.failures() == failures,
        "batch %d has %d results and %d failures: %s",
        tag,
        results.ended(),
        failures,
        results);
  }

  private void check(TaskModel.Work work, Completed completed) {
    wrong += work.isRight(completed, TaskModel.content(completed.dst())) ? 0 : 1;
  }

  /** Other actors have sent the requests that the client did not add, one after the other. */
  private void onBusy(long tag, TaskPromises.Lane lane) {
    promises.refused(tag, accepted(tag, lane.context()), count - own);
  }

  /** Returns the number of earlier requests to a context that it holds. */
  private int accepted(long tag, Object context) {
    return (int)
        unanswered.entrySet().stream()
            .filter(one -> one.getKey() < tag && one.getValue().lane().context() == context)
            .count();
  }

  private void onFailed(long tag, DocaError error, boolean isDamaged) {
    boolean isRight =
        switch (error.code()) {
          case TIME_OUT -> true;
          case IO_FAILED -> isDamaged;
          case SHUTDOWN -> tag < beforeStop; // it waited
          default -> false;
        };
    if (!isRight) {
      run.explanations().check(FailedAnswers.TASKS, error);
      run.check(!isCalm, "failed: " + error);
      promises.disturbed();
      objects.forget(); // a restarted context has none
    }
  }

  /** Fails the run if an answer is missing. */
  void check(String when) {
    run.check(unanswered.isEmpty(), "requests without an answer%s: %s", when, unanswered.keySet());
  }
}
