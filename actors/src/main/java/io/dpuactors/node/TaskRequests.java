package io.dpuactors.node;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.CompletionRing;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.protocol.TaskRequest;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tasks from one buffer to another. What is wrong with one is found here and answered with a
 * reason, because the device would only say that it failed, and some libraries take their whole
 * context down for it.
 */
final class TaskRequests implements Requests<TaskRequest> {
  private final String context;
  private Map<TaskKind, TaskLimits> limits = new EnumMap<>(TaskKind.class);

  TaskRequests(String context) {
    this.context = context;
  }

  @Override
  public void limit(Map<TaskKind, TaskLimits> configured) {
    limits = configured;
  }

  @Override
  public TaskKind kind(TaskRequest request) {
    return request.kind();
  }

  @Override
  public String about(TaskRequest request) {
    return request.kind() + " task of " + context;
  }

  @Override
  public @Nullable DocaError refusal(TaskRequest request) {
    DocaError unusable = unusable(request);
    return unusable != null ? unusable : beyondLimits(request);
  }

  @Override
  public @Nullable DocaError unusable(TaskRequest request) {
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

  private DocaError invalid(TaskRequest request, String why) {
    return DocaError.of(
        "doca_task_submit", DocaCode.INVALID_VALUE.value(), about(request) + ": " + why);
  }

  @Override
  public boolean offer(TaskRequest request, EngineCore core, TaskSlot slot, int context) {
    return core.submissions()
        .offer(
            slot.userData(),
            context,
            request.kind(),
            request.src(),
            request.dst(),
            request.argument());
  }

  @Override
  public void completed(TaskRequest request, CompletionRing record) {
    request.dst().length(Math.toIntExact(record.produced()));
    request
        .replyTo()
        .tell(
            new TaskReply.Completed(
                request.tag(),
                request.src(),
                request.dst(),
                record.checksum0(),
                record.checksum1()));
  }

  @Override
  public void failed(TaskRequest request, DocaError error, Ownership ownership) {
    request
        .replyTo()
        .tell(new TaskReply.Failed(request.tag(), error, request.src(), request.dst(), ownership));
  }

  @Override
  public void busy(TaskRequest request, int waiting) {
    request
        .replyTo()
        .tell(new TaskReply.Busy(request.tag(), request.src(), request.dst(), waiting));
  }

  @Override
  public void giveBack(TaskRequest request) {
    request.src().release();
    request.dst().release();
  }
}
