package io.dpuactors.protocol;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskHandle;
import io.dpuactors.bridge.TaskKind;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One task or a batch of tasks for a device. The context calls exactly one of its answer methods,
 * on the engine's thread.
 */
public interface DeviceRequest extends BufferRequest {
  /** Parameters of a task beside its object. */
  interface EncodedParameters {
    /** Maximum size in bytes. */
    int BYTES = 24;

    /**
     * Writes the bridge's encoding. Allocates nothing.
     *
     * @param cell in native byte order
     * @param at offset of the first byte; the cell has {@link #BYTES} from there
     */
    void encode(ByteBuffer cell, int at);
  }

  /** A variant of a kind of tasks, such as an algorithm. */
  interface Variant {
    /** Returns DOCA's number of the variant, from 0. */
    int number();
  }

  /** Returns the kind of the tasks. */
  TaskKind kind();

  /** Returns the variant of the tasks; null: the kind has none. */
  default @Nullable Variant variant() {
    return null;
  }

  /** Returns whether the input of a single task is a part of a message, and not the last one. */
  default boolean isPart() {
    return false;
  }

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

  /** Returns further arguments of the kind in the bridge's encoding; 0 for most kinds. */
  default long argument() {
    return 0;
  }

  /**
   * Returns the parameters of a task that follow its object in the bridge's encoding; null: none.
   *
   * @param task number of the task in a batch; 0 for a single task
   */
  default @Nullable EncodedParameters encodedParameters(int task) {
    return null;
  }

  /**
   * Returns why no device could execute a task; null if one could.
   *
   * @param task number of the task in a batch; 0 for a single task
   * @param sourceBytes length of its input
   */
  default @Nullable String problem(int task, long sourceBytes) {
    return null;
  }

  /** Returns the number of bytes of an input that a device's limit for one buffer applies to. */
  default long limitedBytes(long sourceBytes) {
    return sourceBytes;
  }

  /**
   * Returns the room in bytes that an output must have; 0: any.
   *
   * @param task number of the task in a batch; 0 for a single task
   * @param sourceBytes length of its input
   */
  default long minOutputBytes(int task, long sourceBytes) {
    return 0;
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
