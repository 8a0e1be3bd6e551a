package io.dpuactors.node;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.protocol.TaskRequest;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a request of one context must be like. Found here and answered with a reason, because the
 * device would only say that it failed, and some libraries take their whole context down for it.
 */
final class RequestChecks {
  private final String context;
  private Map<TaskKind, TaskLimits> limits = new EnumMap<>(TaskKind.class);

  RequestChecks(String context) {
    this.context = context;
  }

  /** The context runs, with these kinds. */
  void limit(Map<TaskKind, TaskLimits> configured) {
    limits = configured;
  }

  /**
   * Why the request cannot be submitted now, or null; everything is looked at, as time may have
   * passed.
   */
  @Nullable DocaError refusal(TaskRequest request) {
    DocaError unusable = unusable(request);
    return unusable != null ? unusable : beyondLimits(request);
  }

  /** Why no context could do this, or null. */
  @Nullable DocaError unusable(TaskRequest request) {
    Buffer src = request.src();
    Buffer dst = request.dst();
    if (!src.isLeased() || !dst.isLeased()) {
      return invalid(request, "a buffer was already returned to its pool");
    }
    if (src == dst) {
      return invalid(request, "source and destination are the same buffer");
    }
    if (src.length() == 0) {
      return invalid(request, "the source buffer is empty");
    }
    if (request.kind() == TaskKind.DMA_MEMCPY && src.length() > dst.capacity()) {
      return invalid(
          request, "%d bytes do not fit into %d".formatted(src.length(), dst.capacity()));
    }
    return null;
  }

  private @Nullable DocaError beyondLimits(TaskRequest request) {
    TaskLimits limit = limits.get(request.kind());
    if (limit == null) {
      return DocaError.of(
          "doca_task_submit",
          DocaCode.NOT_SUPPORTED.value(),
          request.kind() + " is not configured on " + context);
    }
    int length = request.src().length();
    return length <= limit.maxBufferBytes()
        ? null
        : invalid(
            request,
            "the source has %d bytes; the device's limit is %d"
                .formatted(length, limit.maxBufferBytes()));
  }

  /** The error of a request that was not answered in time. */
  DocaError timeOut(TaskRequest request, long deadlineNs) {
    return DocaError.of(
        "doca_task",
        DocaCode.TIME_OUT.value(),
        "%s: no answer within %d ms".formatted(about(request), deadlineNs / 1_000_000));
  }

  private DocaError invalid(TaskRequest request, String why) {
    return DocaError.of(
        "doca_task_submit", DocaCode.INVALID_VALUE.value(), about(request) + ": " + why);
  }

  private String about(TaskRequest request) {
    return request.kind() + " task of " + context;
  }
}
