package io.dpuactors.testkit;

import io.dpuactors.bridge.BatchResults;
import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.bridge.TaskHandle;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.node.TaskRequests;
import io.dpuactors.protocol.BatchRequest;
import io.dpuactors.protocol.DeviceRequest;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.protocol.TaskRequest;
import io.dpuactors.testkit.ScriptedBehavior.Pending;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The tasks and batches of a {@link ScriptedContext}. A real context has the same checks and loans:
 * {@link TaskRequests}. Thread: the context's.
 */
final class ScriptedTasks {
  private static final int MAX_TASKS = 65_536;

  private final TaskLibrary library;
  private final ScriptedObjects objects;
  private final TaskRequests requests;

  ScriptedTasks(TaskLibrary library, ScriptedObjects objects) {
    this.library = library;
    this.objects = objects;
    this.requests = new TaskRequests(library.shortName());
  }

  TaskCapabilities capabilities() {
    TaskLimits limits = new TaskLimits(true, Integer.MAX_VALUE, MAX_TASKS);
    return new TaskCapabilities(
        library.kinds().stream().collect(Collectors.toMap(Function.identity(), kind -> limits)),
        MAX_TASKS);
  }

  /** Takes the buffers of a request. Returns the reason of a refusal, or null. */
  @Nullable DocaError accept(DeviceRequest request) {
    DocaError unusable = requests.unusable(request);
    DocaError refusal = unusable == null ? requests.take(request) : unusable;
    if (refusal != null) {
      return refusal;
    }
    DocaError other = otherContext(request);
    if (other != null) {
      requests.returnBuffers(request);
    }
    return other;
  }

  private @Nullable DocaError otherContext(DeviceRequest request) {
    TaskHandle object = request.handle();
    if (!library.kinds().contains(request.kind())) {
      return error(DocaCode.NOT_SUPPORTED, request, "the context has no tasks of this kind");
    }
    return object == null || objects.isOurs(object)
        ? null
        : error(DocaCode.INVALID_VALUE, request, object + " belongs to another context");
  }

  void refuse(DeviceRequest request, DocaError error) {
    requests.failed(request, error, Ownership.RETURNED);
  }

  void busy(DeviceRequest request, int waiting) {
    requests.returnBuffers(request);
    requests.busy(request, waiting);
  }

  /** Answers at the deadline; returns what the device does afterwards. */
  Pending expire(DeviceRequest request) {
    DocaError late = error(DocaCode.TIME_OUT, request, "no answer within the deadline");
    endSession(request, true);
    requests.releaseAfterTasks(request);
    requests.failed(request, late, Ownership.RETAINED);
    return new Pending() {
      @Override
      public void run() {
        requests.returnBuffers(request);
      }

      @Override
      public void fail(DocaError error) {
        requests.returnBuffers(request);
      }
    };
  }

  /** Returns an accepted request, to be executed now or later. */
  Pending pending(DeviceRequest request) {
    return new Pending() {
      @Override
      public void run() {
        TaskBatch batch = request.batch();
        if (batch == null) {
          runTask((TaskRequest) request, this);
        } else {
          runBatch((BatchRequest) request, batch);
        }
      }

      @Override
      public void fail(DocaError error) {
        endSession(request, true);
        requests.returnBuffers(request);
        requests.failed(request, error, Ownership.RETURNED);
      }
    };
  }

  private void runTask(TaskRequest task, Pending failing) {
    DocaCode refusal = refusal(task);
    if (refusal != null) {
      requests.returnBuffers(task);
      refuse(task, submitError(refusal, task));
      return;
    }
    TaskResult result;
    try {
      result = execute(task, 0, task.src(), task.dst());
    } catch (TaskFailure e) {
      failing.fail(error(e.code(), task, "the task failed"));
      return;
    }
    task.dst().written(Contents.write(task.dst(), result.output()));
    endSession(task, false);
    requests.returnBuffers(task);
    task.completed(result.crc32(), result.checksum());
  }

  /** Returns why a device does not accept a part of a session, which continues; null otherwise. */
  private @Nullable DocaCode refusal(TaskRequest task) {
    return objects.of(task.handle()) instanceof TaskObject.Session session
        ? session.accept(JdkTasks.isLastPart(task.argument()), task.dst())
        : null;
  }

  private DocaError submitError(DocaCode code, DeviceRequest request) {
    return DocaError.of("doca_task_submit", code.value(), requests.about(request));
  }

  private void runBatch(BatchRequest request, TaskBatch batch) {
    BatchResults results = batch.results();
    for (int task = 0; task < batch.size(); task++) {
      Buffer dst = batch.destinations().get(task);
      try {
        TaskResult result = execute(request, task, batch.sources().get(task), dst);
        Contents.write(dst, result.output());
        results.done(task, result.output().length, result.crc32(), result.checksum());
      } catch (TaskFailure e) {
        results.failed(task, e.code());
      }
    }
    batch.written();
    requests.returnBuffers(request);
    request.ended();
  }

  private TaskResult execute(DeviceRequest request, int task, Buffer src, Buffer dst) {
    return JdkTasks.run(
        request.kind(),
        Contents.of(src),
        Math.toIntExact(dst.totalCapacity()),
        request.argument(),
        objects.of(request.handle()),
        request.encodedParameters(task));
  }

  private void endSession(DeviceRequest request, boolean hasFailed) {
    TaskHandle session = request.handle();
    if (session != null && request instanceof TaskRequest task && task.endsSession(hasFailed)) {
      objects.close(session);
    }
  }

  private DocaError error(DocaCode code, DeviceRequest request, String why) {
    return error(code, requests.about(request) + ": " + why);
  }

  DocaError error(DocaCode code, String why) {
    return DocaError.of("doca_task", code.value(), why);
  }
}
