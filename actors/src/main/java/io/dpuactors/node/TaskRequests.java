package io.dpuactors.node;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskHandle;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.bridge.internal.CompletionRing;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.protocol.DeviceRequest;
import io.dpuactors.protocol.DeviceRequest.EncodedParameters;
import io.dpuactors.protocol.TaskRequest;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Tasks from one buffer to another, one by one or in batches. Contexts of the testkit, which have
 * no device, use their checks and loans too.
 */
public final class TaskRequests extends BufferRequests<TaskRequest> {
  private Map<TaskKind, TaskLimits> limits = new EnumMap<>(TaskKind.class);
  private @Nullable DocaContext running;

  /**
   * Creates the requests of one context.
   *
   * @param context name for errors
   */
  public TaskRequests(String context) {
    super(context, "doca_task_submit", TaskRequest.class);
  }

  @Override
  public void limit(DocaContext context, Map<TaskKind, TaskLimits> configured) {
    running = context;
    limits = configured;
  }

  @Override
  boolean acceptsChains() {
    return true;
  }

  @Override
  String describe(TaskRequest task) {
    return task.kind() + " task";
  }

  @Override
  @Nullable DocaError unusableTask(TaskRequest task) {
    if (isNull(task.src()) || isNull(task.dst())) {
      return invalid(task, "a buffer is null");
    }
    if (task.src() == task.dst()) {
      return invalid(task, "source and destination are the same buffer");
    }
    if (task.src().totalLength() == 0) {
      return invalid(task, "the source buffer is empty");
    }
    String problem = problem(task, 0, task.src().totalLength(), task.dst());
    return problem == null ? null : invalid(task, problem);
  }

  /** A program without null checks may send one. */
  private static boolean isNull(@Nullable Buffer buffer) {
    return buffer == null;
  }

  private static @Nullable String problem(
      DeviceRequest request, int task, long sourceBytes, Buffer dst) {
    String problem = request.problem(task, sourceBytes);
    if (problem != null) {
      return problem;
    }
    long output = request.minOutputBytes(task, sourceBytes);
    if (output > dst.totalCapacity()) {
      return "%d bytes do not fit into %d".formatted(output, dst.totalCapacity());
    }
    return output == 0 && dst.isAimed() && dst.elements() == 1
        ? "an aimed buffer cannot take an output of unknown size: the device may write behind it"
        : null;
  }

  /** Checks sizes only. The constructor of the batch has checked its buffers. */
  @Override
  @Nullable DocaError unusableBatch(DeviceRequest request, TaskBatch batch) {
    if (batch.fit().empty() >= 0) {
      return invalid(request, "the source of task %d is empty".formatted(batch.fit().empty()));
    }
    if (batch.isChecked(request.kind()) && dependsOnLengthsOnly(request)) {
      return null;
    }
    for (int task = 0; task < batch.size(); task++) {
      Buffer dst = batch.destinations().get(task);
      String problem = problem(request, task, batch.sourceLength(task), dst);
      if (problem != null) {
        return invalid(request, "task %d: %s".formatted(task, problem));
      }
    }
    if (dependsOnLengthsOnly(request)) {
      batch.checked(request.kind());
    }
    return null;
  }

  private static boolean dependsOnLengthsOnly(DeviceRequest request) {
    return request.handle() == null && request.argument() == 0;
  }

  /** Checks the context's limits only: taken buffers do not change after their arrival. */
  @Override
  public @Nullable DocaError refusal(DeviceRequest request) {
    TaskLimits limit = limits.get(request.kind());
    if (limit == null) {
      return error(request, DocaCode.NOT_SUPPORTED, "the context has no tasks of this kind");
    }
    DocaError refused = limit.variants().isEmpty() ? null : refusedVariant(request, limit);
    if (refused != null) {
      return refused;
    }
    TaskHandle object = request.handle();
    if (object != null && (running == null || !object.belongsTo(running))) {
      return invalid(
          request, object + " belongs to another context, or to this one before its restart");
    }
    long length = request.limitedBytes(longestSource(request));
    if (length > limit.maxBufferBytes()) {
      return invalid(
          request,
          "a source has %d bytes; the device's limit is %d"
              .formatted(length, limit.maxBufferBytes()));
    }
    int elements = elements(request);
    return elements <= Math.max(1, limit.maxListLength())
        ? null
        : invalid(
            request,
            "a chain of %d buffers; the device's limit is %d"
                .formatted(elements, limit.maxListLength()));
  }

  private @Nullable DocaError refusedVariant(DeviceRequest request, TaskLimits limit) {
    DeviceRequest.Variant variant = request.variant();
    if (variant == null || variant.number() >= limit.variants().size()) {
      return null;
    }
    TaskLimits.Variant ofVariant = limit.variants().get(variant.number());
    if (!ofVariant.supported()) {
      return error(request, DocaCode.NOT_SUPPORTED, "the device does not support " + variant);
    }
    long room = smallestDestination(request);
    if (room < ofVariant.minOutputBytes()) {
      return invalid(
          request,
          "a destination has room for %d bytes; the device's minimum is %d"
              .formatted(room, ofVariant.minOutputBytes()));
    }
    long length = longestSource(request);
    return request.isPart() && length % ofVariant.partBytes() != 0
        ? invalid(
            request,
            "%d bytes are no multiple of the device's %d bytes"
                .formatted(length, ofVariant.partBytes()))
        : null;
  }

  private static long smallestDestination(DeviceRequest request) {
    TaskBatch batch = request.batch();
    return batch != null
        ? batch.fit().smallest()
        : request instanceof TaskRequest task ? task.dst().totalCapacity() : 0;
  }

  private static long longestSource(DeviceRequest request) {
    TaskBatch batch = request.batch();
    return batch != null
        ? batch.fit().longest()
        : request instanceof TaskRequest task ? task.src().totalLength() : 0;
  }

  private static int elements(DeviceRequest request) {
    Buffer src = request.src();
    Buffer dst = request.dst();
    return src == null || dst == null ? 1 : Math.max(src.elements(), dst.elements());
  }

  @Override
  boolean offerTask(TaskRequest task, EngineCore core, TaskSlot slot, int handle) {
    return core.submissions()
        .offer(
            slot.userData(),
            handle,
            task.kind(),
            task.src(),
            task.dst(),
            argument(task, core, slot));
  }

  @Override
  void endSession(DeviceRequest request, boolean hasFailed) {
    TaskHandle session = request.handle();
    DocaContext context = running;
    if (session != null
        && context != null
        && request instanceof TaskRequest task
        && task.endsSession(hasFailed)) {
      session.close(() -> context.handles().destroy(session));
    }
  }

  /** The argument is the object, or the address of the object and the parameters behind it. */
  private static long argument(TaskRequest task, EngineCore core, TaskSlot slot) {
    EncodedParameters parameters = task.encodedParameters(0);
    if (parameters == null) {
      return argument(task);
    }
    parameters.encode(core.immediates().take(slot).putLong(0, object(task)), Long.BYTES);
    return core.immediates().address(slot);
  }

  @Override
  void prepare(DeviceRequest request, TaskBatch batch) {
    if (request.encodedParameters(0) == null) {
      batch.argument(argument(request));
      return;
    }
    ByteBuffer cells = batch.cells();
    for (int task = 0; task < batch.size(); task++) {
      int at = task * TaskBatch.CELL_BYTES;
      cells.putLong(at, object(request));
      Objects.requireNonNull(request.encodedParameters(task)).encode(cells, at + Long.BYTES);
    }
  }

  private static long argument(DeviceRequest request) {
    return object(request) | request.argument();
  }

  private static long object(DeviceRequest request) {
    TaskHandle object = request.handle();
    return object == null ? 0 : object.pointer();
  }

  @Override
  void answer(TaskRequest task, CompletionRing record) {
    task.completed(record.checksum0(), record.checksum1());
  }
}
