package io.dpuactors.node;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.bridge.internal.CompletionRing;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.protocol.TaskRequest;
import org.jspecify.annotations.Nullable;

/**
 * Tasks from one buffer to another. This class refuses invalid requests with a reason. The device
 * would only report a failure, and some libraries stop their whole context after it.
 */
final class TaskRequests implements Requests<TaskRequest> {
  private final ContextLimits limits;

  TaskRequests(ContextLimits limits) {
    this.limits = limits;
  }

  @Override
  public TaskKind kind(TaskRequest request) {
    return request.kind();
  }

  @Override
  public String about(TaskRequest request) {
    return request.kind() + " task of " + limits.context();
  }

  @Override
  public @Nullable DocaError unusable(TaskRequest request) {
    Buffer src = request.src();
    Buffer dst = request.dst();
    if (!src.isLeased() || !dst.isLeased()) {
      return invalid(request, "a buffer was already returned to its pool");
    }
    if (src.isBehindAnother() || dst.isBehindAnother()) {
      return invalid(request, "a buffer is chained behind another; pass the head of the chain");
    }
    if (src == dst) {
      return invalid(request, "source and destination are the same buffer");
    }
    if (src.totalLength() == 0) {
      return invalid(request, "the source buffer is empty");
    }
    if (request.kind() == TaskKind.DMA_MEMCPY && src.totalLength() > dst.totalCapacity()) {
      return invalid(
          request, "%d bytes do not fit into %d".formatted(src.totalLength(), dst.totalCapacity()));
    }
    return null;
  }

  /** Checks the context's limits only: taken buffers do not change after their arrival. */
  @Override
  public @Nullable DocaError refusal(TaskRequest request) {
    TaskLimits limit = limits.of(request.kind());
    if (limit == null) {
      return limits.notConfigured(request.kind());
    }
    long length = request.src().totalLength();
    if (length > limit.maxBufferBytes()) {
      return invalid(
          request,
          "the source has %d bytes; the device's limit is %d"
              .formatted(length, limit.maxBufferBytes()));
    }
    int elements = Math.max(request.src().elements(), request.dst().elements());
    return elements <= Math.max(1, limit.maxListLength())
        ? null
        : invalid(
            request,
            "a chain of %d buffers; the device's limit is %d"
                .formatted(elements, limit.maxListLength()));
  }

  private DocaError invalid(TaskRequest request, String why) {
    return ContextLimits.invalid(about(request), why);
  }

  @Override
  public @Nullable DocaError take(TaskRequest request) {
    Buffer src = request.src();
    try {
      if (!src.take(limits.context())) {
        return invalid(request, ContextLimits.notTaken(src));
      }
      return takeDestination(request)
          ? null
          : invalid(request, ContextLimits.notTaken(request.dst()));
    } catch (DocaException e) {
      return e.error();
    }
  }

  /** Takes the destination. Returns the source if that fails. */
  private boolean takeDestination(TaskRequest request) {
    boolean isTaken = false;
    try {
      isTaken = request.dst().take(limits.context());
    } finally {
      if (!isTaken) {
        request.src().returnTaken();
      }
    }
    return isTaken;
  }

  @Override
  public void returnBuffers(TaskRequest request) {
    request.src().returnTaken();
    request.dst().returnTaken();
  }

  @Override
  public void abandon(TaskRequest request) {
    request.src().abandon();
    request.dst().abandon();
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
    request.dst().written(record.produced());
    returnBuffers(request);
    request.completed(record.checksum0(), record.checksum1());
  }

  @Override
  public void failed(TaskRequest request, DocaError error, Ownership ownership) {
    request.failed(error, ownership);
  }

  @Override
  public void busy(TaskRequest request, int waiting) {
    request.busy(waiting);
  }
}
