package io.dpuactors.node;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.bridge.internal.CompletionRing;
import io.dpuactors.protocol.BatchRequest;
import io.dpuactors.protocol.TaskReply.Ownership;
import org.jspecify.annotations.Nullable;

/**
 * Batches of tasks between pairs of buffers. A batch is one request, and the bridge submits its
 * tasks one by one. This class checks all tasks and refuses an invalid batch before any task
 * starts.
 */
final class BatchRequests implements Requests<BatchRequest> {
  private final ContextLimits limits;

  BatchRequests(ContextLimits limits) {
    this.limits = limits;
  }

  @Override
  public TaskKind kind(BatchRequest request) {
    return request.kind();
  }

  @Override
  public String about(BatchRequest request) {
    return "batch of %d %s tasks of %s"
        .formatted(request.batch().size(), request.kind(), limits.context());
  }

  /** Checks sizes only. The constructor of the batch has checked its buffers. */
  @Override
  public @Nullable DocaError unusable(BatchRequest request) {
    TaskBatch batch = request.batch();
    if (batch.firstEmpty() >= 0) {
      return invalid(request, "the source of task %d is empty".formatted(batch.firstEmpty()));
    }
    if (request.kind() == TaskKind.DMA_MEMCPY && batch.firstBeyond() >= 0) {
      return invalid(
          request,
          "the source of task %d does not fit into its destination".formatted(batch.firstBeyond()));
    }
    return null;
  }

  @Override
  public @Nullable DocaError refusal(BatchRequest request) {
    TaskLimits limit = limits.of(request.kind());
    if (limit == null) {
      return limits.notConfigured(request.kind());
    }
    long longest = request.batch().longestSource();
    return longest <= limit.maxBufferBytes()
        ? null
        : invalid(
            request,
            "a source has %d bytes; the device's limit is %d"
                .formatted(longest, limit.maxBufferBytes()));
  }

  private DocaError invalid(BatchRequest request, String why) {
    return ContextLimits.invalid(about(request), why);
  }

  @Override
  public @Nullable DocaError take(BatchRequest request) {
    return request.batch().begin() ? null : invalid(request, "the batch is in use or closed");
  }

  @Override
  public void returnBuffers(BatchRequest request) {
    request.batch().end();
  }

  @Override
  public void abandon(BatchRequest request) {
    request.batch().retain();
  }

  @Override
  public boolean offer(BatchRequest request, EngineCore core, TaskSlot slot, int handle) {
    return core.submissions().offerBatch(slot.userData(), handle, request.kind(), request.batch());
  }

  @Override
  public void correct(BatchRequest request, DocaCode reported, DocaCode reason) {
    request.batch().results().correct(reported, reason);
  }

  @Override
  public void completed(BatchRequest request, CompletionRing record) {
    request.batch().written();
    returnBuffers(request);
    request.ended();
  }

  @Override
  public void failed(BatchRequest request, DocaError error, Ownership ownership) {
    request.failed(error, ownership);
  }

  @Override
  public void busy(BatchRequest request, int waiting) {
    request.busy(waiting);
  }
}
