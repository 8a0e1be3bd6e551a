package io.dpuactors.node;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.bridge.internal.CompletionRing;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.protocol.DeviceRequest;
import io.dpuactors.protocol.SyncEventProtocol.EventRequest;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tasks of a sync event, which have no buffers. */
final class EventRequests extends BufferRequests<EventRequest> {
  private Map<TaskKind, TaskLimits> kinds = Map.of();

  /**
   * Creates the requests of one event.
   *
   * @param context name for errors
   */
  EventRequests(String context) {
    super(context, "doca_task_submit", EventRequest.class);
  }

  @Override
  public void limit(DocaContext running, Map<TaskKind, TaskLimits> configured) {
    kinds = configured;
  }

  /** {@inheritDoc} A wait may take for ever: the requests that end it must pass it. */
  @Override
  public boolean ordersByKind() {
    return true;
  }

  @Override
  public int order(DeviceRequest request) {
    return 1 + request.kind().ordinal();
  }

  @Override
  String describe(EventRequest task) {
    return task.kind() + " task";
  }

  /** Refuses a mask with which the device would only fail the task. */
  @Override
  @Nullable DocaError unusableTask(EventRequest task) {
    return isMask(task.mask())
        ? null
        : invalid(
            task, "mask 0x%x is not 0, 1, 2, 4 or 8 adjacent bytes of 0xff".formatted(task.mask()));
  }

  private static boolean isMask(long mask) {
    long run = mask >>> Math.min(Long.numberOfTrailingZeros(mask), Long.SIZE - 1);
    boolean isAligned = Long.numberOfTrailingZeros(mask) % Byte.SIZE == 0;
    boolean isRun = run == 0xff || run == 0xffff || run == 0xffff_ffffL || run == -1;
    return mask == 0 || (isAligned && isRun);
  }

  @Override
  @Nullable DocaError unusableBatch(DeviceRequest request, TaskBatch batch) {
    return error(request, DocaCode.NOT_SUPPORTED, "sync events have no batches");
  }

  @Override
  public @Nullable DocaError refusal(DeviceRequest request) {
    return kinds.containsKey(request.kind())
        ? null
        : error(request, DocaCode.NOT_SUPPORTED, "the event has no tasks of this kind");
  }

  @Override
  boolean offerTask(EventRequest task, EngineCore core, TaskSlot slot, int handle) {
    return core.submissions()
        .offerEvent(slot.userData(), handle, task.kind(), task.value(), task.mask());
  }

  @Override
  void answer(EventRequest task, CompletionRing record) {
    task.completed(record.produced());
  }
}
