package io.dpuactors.node;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.bridge.internal.CompletionRing;
import io.dpuactors.protocol.BatchRequest;
import io.dpuactors.protocol.DeviceRequest;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.protocol.TaskRequest;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Requests of one context that are single tasks or batches. Delegates to the handler of each type.
 */
final class DeviceRequests implements Requests<DeviceRequest> {
  private final ContextLimits limits;
  private final TaskRequests tasks;
  private final BatchRequests batches;

  DeviceRequests(String context) {
    this.limits = new ContextLimits(context);
    this.tasks = new TaskRequests(limits);
    this.batches = new BatchRequests(limits);
  }

  @Override
  public void limit(Map<TaskKind, TaskLimits> configured) {
    limits.set(configured);
  }

  @Override
  public TaskKind kind(DeviceRequest request) {
    return request.kind();
  }

  @Override
  public String about(DeviceRequest request) {
    return request instanceof TaskRequest task
        ? tasks.about(task)
        : batches.about((BatchRequest) request);
  }

  @Override
  public @Nullable DocaError unusable(DeviceRequest request) {
    return request instanceof TaskRequest task
        ? tasks.unusable(task)
        : batches.unusable((BatchRequest) request);
  }

  @Override
  public @Nullable DocaError refusal(DeviceRequest request) {
    return request instanceof TaskRequest task
        ? tasks.refusal(task)
        : batches.refusal((BatchRequest) request);
  }

  @Override
  public @Nullable DocaError take(DeviceRequest request) {
    return request instanceof TaskRequest task
        ? tasks.take(task)
        : batches.take((BatchRequest) request);
  }

  @Override
  public void returnBuffers(DeviceRequest request) {
    if (request instanceof TaskRequest task) {
      tasks.returnBuffers(task);
    } else {
      batches.returnBuffers((BatchRequest) request);
    }
  }

  @Override
  public void abandon(DeviceRequest request) {
    if (request instanceof TaskRequest task) {
      tasks.abandon(task);
    } else {
      batches.abandon((BatchRequest) request);
    }
  }

  @Override
  public boolean offer(DeviceRequest request, EngineCore core, TaskSlot slot, int context) {
    return request instanceof TaskRequest task
        ? tasks.offer(task, core, slot, context)
        : batches.offer((BatchRequest) request, core, slot, context);
  }

  @Override
  public void correct(DeviceRequest request, DocaCode reported, DocaCode reason) {
    if (request instanceof BatchRequest batch) {
      batches.correct(batch, reported, reason);
    }
  }

  @Override
  public void completed(DeviceRequest request, CompletionRing record) {
    if (request instanceof TaskRequest task) {
      tasks.completed(task, record);
    } else {
      batches.completed((BatchRequest) request, record);
    }
  }

  @Override
  public void failed(DeviceRequest request, DocaError error, Ownership ownership) {
    request.failed(error, ownership);
  }

  @Override
  public void busy(DeviceRequest request, int waiting) {
    request.busy(waiting);
  }
}
