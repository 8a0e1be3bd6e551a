package io.dpuactors.protocol;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskHandle;
import io.dpuactors.bridge.TaskKind;
import org.jspecify.annotations.Nullable;

/**
 * One task or a batch of tasks for a device. The context calls exactly one of its answer methods,
 * on the engine's thread.
 */
public interface DeviceRequest extends BufferRequest {
  /** Returns the kind of the tasks. */
  TaskKind kind();

  /** Returns the tasks of a batch; null for a single task. */
  default @Nullable TaskBatch batch() {
    return null;
  }

  /** Returns the input of a single task; null: no input, or a batch. */
  default @Nullable Buffer src() {
    return null;
  }

  /** Returns the output of a single task; null: no output, or a batch. */
  default @Nullable Buffer dst() {
    return null;
  }

  /** Returns the object of the context that the task uses, such as a key; null: none. */
  default @Nullable TaskHandle handle() {
    return null;
  }

  /**
   * Answers that the request failed or expired.
   *
   * @param ownership whether the sender owns the buffers again
   */
  void failed(DocaError error, TaskReply.Ownership ownership);

  /**
   * Answers that the queue is full. The sender owns the unchanged buffers again.
   *
   * @param waiting number of waiting requests
   */
  void busy(int waiting);

  @Override
  default void refuse(DocaError error) {
    failed(error, TaskReply.Ownership.RETURNED);
  }
}
