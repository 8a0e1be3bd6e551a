package io.dpuactors.node;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskHandle;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.internal.CompletionRing;
import io.dpuactors.protocol.BatchRequest;
import io.dpuactors.protocol.DeviceRequest;
import io.dpuactors.protocol.TaskReply.Ownership;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Requests with buffers: single tasks, and batches. A batch is one request, and the bridge submits
 * its tasks one by one. Subclasses refuse invalid requests with a reason. The device would only
 * report a failure, and some libraries stop their whole context after it.
 *
 * @param <S> the single tasks
 */
abstract class BufferRequests<S extends DeviceRequest> implements Requests<DeviceRequest> {
  private final String context;
  private final String operation;
  private final Class<S> single;

  /**
   * Creates the requests of one context.
   *
   * @param context name for errors
   * @param operation DOCA's function that submits the tasks, for errors
   */
  BufferRequests(String context, String operation, Class<S> single) {
    this.context = context;
    this.operation = operation;
    this.single = single;
  }

  /** Returns a description of a single task, without the context. */
  abstract String describe(S task);

  /**
   * Returns why no context could execute the task, or null. The buffers of the request are checked
   * already.
   */
  abstract @Nullable DocaError unusableTask(S task);

  /** Returns why no context could execute the batch, or null. */
  abstract @Nullable DocaError unusableBatch(DeviceRequest request, TaskBatch batch);

  /** Puts a single task into the submission ring, as {@link #offer}. */
  abstract boolean offerTask(S task, EngineCore core, TaskSlot slot, int handle);

  /** Answers that the device has completed a single task. */
  abstract void answer(S task, CompletionRing record);

  /** Returns the number of bytes that the device has written to the destination. */
  long written(S task, CompletionRing record) {
    return record.produced();
  }

  /** Sets the arguments of the tasks of a begun batch, just before {@link #offer}. */
  void prepare(DeviceRequest request, TaskBatch batch) {}

  /** Returns whether a buffer of a single task may be the head of a chain. */
  boolean acceptsChains() {
    return false;
  }

  @Override
  public final TaskKind kind(DeviceRequest request) {
    return request.kind();
  }

  @Override
  public final String about(DeviceRequest request) {
    TaskBatch batch = request.batch();
    String what =
        batch == null
            ? describe(single.cast(request))
            : "batch of %d %s tasks".formatted(batch.size(), request.kind());
    return what + " of " + context;
  }

  final DocaError invalid(DeviceRequest request, String why) {
    return error(request, DocaCode.INVALID_VALUE, why);
  }

  final DocaError error(DeviceRequest request, DocaCode code, String why) {
    return DocaError.of(operation, code, about(request) + ": " + why);
  }

  @Override
  public final @Nullable DocaError unusable(DeviceRequest request) {
    TaskBatch batch = request.batch();
    if (batch != null) {
      return batch.isOf(request.kind())
          ? unusableBatch(request, batch)
          : invalid(request, "the batch has other buffers than these tasks");
    }
    String why = unusable(request.src());
    why = why == null ? unusable(request.dst()) : why;
    return why == null ? unusableTask(single.cast(request)) : invalid(request, why);
  }

  private @Nullable String unusable(@Nullable Buffer buffer) {
    if (buffer == null) {
      return null;
    }
    if (!buffer.isLeased()) {
      return "a buffer was already returned to its pool";
    }
    if (buffer.isBehindAnother()) {
      return "a buffer is chained behind another; pass the head of the chain";
    }
    return acceptsChains() || buffer.elements() == 1 ? null : "the context accepts no chains";
  }

  @Override
  public final @Nullable DocaError take(DeviceRequest request) {
    TaskHandle object = request.handle();
    if (object != null && !object.use()) {
      return object.isOpen()
          ? error(request, DocaCode.IN_USE, object + " has a request; wait for its answer")
          : invalid(request, object + " was destroyed");
    }
    TaskBatch batch = request.batch();
    DocaError refusal = batch == null ? takeBuffers(request) : takeBatch(request, batch);
    if (refusal != null && object != null) {
      object.unuse();
    }
    return refusal;
  }

  private @Nullable DocaError takeBatch(DeviceRequest request, TaskBatch batch) {
    return batch.begin() ? null : invalid(request, "the batch is in use or closed");
  }

  private @Nullable DocaError takeBuffers(DeviceRequest request) {
    try {
      Buffer refused = take(request.src(), request.dst());
      return refused == null ? null : invalid(request, notTaken(refused));
    } catch (DocaException e) {
      return e.error();
    }
  }

  /** Takes both buffers or none. Returns the buffer that cannot be taken, or null. */
  private @Nullable Buffer take(@Nullable Buffer src, @Nullable Buffer dst) {
    if (src != null && !src.take(context)) {
      return src;
    }
    boolean isTaken = false;
    try {
      isTaken = dst == null || dst.take(context);
    } finally {
      if (!isTaken && src != null) {
        src.returnTaken();
      }
    }
    return isTaken ? null : dst;
  }

  private static String notTaken(Buffer buffer) {
    Object taker = buffer.taker();
    return taker == null
        ? buffer + " was already returned to its pool"
        : "%s is in use: an earlier request of %s has it".formatted(buffer, taker);
  }

  @Override
  public final void returnBuffers(DeviceRequest request) {
    forEachTaken(request, TaskBatch::end, Buffer::returnTaken);
    TaskHandle object = request.handle();
    if (object != null) {
      object.unuse();
    }
  }

  @Override
  public final void releaseAfterTasks(DeviceRequest request) {
    forEachTaken(request, TaskBatch::retain, Buffer::releaseAfterTasks);
  }

  /** Applies one action to the batch of a request, or the other to each buffer of its task. */
  private static void forEachTaken(
      DeviceRequest request, Consumer<TaskBatch> onBatch, Consumer<Buffer> onBuffer) {
    TaskBatch batch = request.batch();
    Buffer src = request.src();
    Buffer dst = request.dst();
    if (batch != null) {
      onBatch.accept(batch);
      return;
    }
    if (src != null) {
      onBuffer.accept(src);
    }
    if (dst != null) {
      onBuffer.accept(dst);
    }
  }

  @Override
  public final boolean offer(DeviceRequest request, EngineCore core, TaskSlot slot, int handle) {
    TaskBatch batch = request.batch();
    if (batch == null) {
      return offerTask(single.cast(request), core, slot, handle);
    }
    prepare(request, batch);
    batch.limit(sharesWindow() ? slot.held : 0);
    return core.submissions().offerBatch(slot.userData(), handle, request.kind(), batch);
  }

  @Override
  public final void correct(DeviceRequest request, DocaCode reported, DocaCode reason) {
    TaskBatch batch = request.batch();
    if (batch != null) {
      batch.results().correct(reported, reason);
    }
  }

  @Override
  public final boolean hasFailures(DeviceRequest request) {
    TaskBatch batch = request.batch();
    return batch != null && batch.results().failures() > 0;
  }

  @Override
  public final void completed(DeviceRequest request, CompletionRing record) {
    TaskBatch batch = request.batch();
    if (batch != null) {
      batch.written();
      returnBuffers(request);
      ((BatchRequest) request).ended();
      return;
    }
    Buffer dst = request.dst();
    if (dst != null) {
      dst.written(written(single.cast(request), record));
    }
    endSession(request, false);
    returnBuffers(request);
    answer(single.cast(request), record);
  }

  /** Ends the session of a request that the device or its deadline has ended. */
  void endSession(DeviceRequest request, boolean hasFailed) {}

  @Override
  public final void failed(DeviceRequest request, DocaError error, Ownership ownership) {
    if (error.operation().equals("doca_task")) {
      endSession(request, true);
    }
    request.failed(error, ownership);
  }

  @Override
  public final void busy(DeviceRequest request, int waiting) {
    request.busy(waiting);
  }
}
