package io.dpuactors.simulation;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskBuffers;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.jspecify.annotations.Nullable;

/**
 * The results of the tasks of one library: the inputs of a scenario, and the outputs that they must
 * have. Belongs to one context of one run.
 */
interface TaskModel {
  /** Bytes of the largest input. */
  int MAX_INPUT = 1024;

  /** The models. Scenarios leave out a library without a model. */
  Map<TaskLibrary, Supplier<TaskModel>> MODELS = models();

  /** One request of a scenario. */
  interface Work {
    /** Returns the bytes of the source. */
    byte[] input();

    /** Copies the input into a buffer. */
    default void fill(Buffer src) {
      src.bytes().clear().put(input());
      src.length(input().length);
    }

    /** Returns the message to the context. */
    Object request(Buffer src, Buffer dst, long tag, ActorRef<TaskReply> replyTo);

    /** Returns what all requests of a batch have in common: they are equal in it. */
    default Object batchKey() {
      return getClass();
    }

    /**
     * Returns the message to the context for a batch.
     *
     * @param works the requests of the batch, of which this one is the first
     */
    Object batch(List<Work> works, TaskBatch batch, long tag, ActorRef<BatchReply> replyTo);

    /** Returns whether the answer has the right output and checksums. */
    boolean isRight(Completed reply, byte[] output);

    /** Returns whether the request must fail with IO_FAILED, because its input is damaged. */
    default boolean fails() {
      return false;
    }
  }

  private static Map<TaskLibrary, Supplier<TaskModel>> models() {
    Map<TaskLibrary, Supplier<TaskModel>> models = new EnumMap<>(TaskLibrary.class);
    models.put(TaskLibrary.COMPRESS, CompressModel::new);
    models.put(TaskLibrary.DMA, DmaModel::new);
    models.put(TaskLibrary.SHA, ShaModel::new);
    models.put(TaskLibrary.AES_GCM, AesGcmModel::new);
    models.put(TaskLibrary.ERASURE_CODING, ErasureCodingModel::new);
    return Collections.unmodifiableMap(models);
  }

  /** Returns the libraries that have a model, in the order of their rows. */
  static List<TaskLibrary> libraries() {
    return List.copyOf(MODELS.keySet());
  }

  /** Returns a new model of one of the {@link #libraries}. */
  static TaskModel of(TaskLibrary library) {
    return Objects.requireNonNull(MODELS.get(library), library::name).get();
  }

  /** Returns the library. */
  TaskLibrary library();

  /** Returns the command that creates the next object that requests need; null if all exist. */
  default @Nullable Object create(Run run, ActorRef<Object> replyTo) {
    return null;
  }

  /** Accepts the answer to {@link #create}. Returns false if the object was refused. */
  default boolean created(Object reply) {
    throw new IllegalStateException("not an answer to a command of this model: " + reply);
  }

  /** Returns the command that destroys an object, which no later request uses; null: none. */
  default @Nullable Object destroy(ActorRef<Object> replyTo) {
    return null;
  }

  /** Removes the objects of a context that has ended. */
  default void forget() {}

  /**
   * Sometimes sends other requests of the library from another actor, which releases the buffers.
   * Returns false if the model did nothing.
   */
  default boolean sendOther(
      ActorContext<Object> client, Run run, TaskBuffers.Pair buffers, ActorRef<Object> context) {
    return false;
  }

  /** Draws a request. */
  Work draw(Run run);

  /** Returns bytes that compress, from the random numbers of the run. */
  static byte[] text(Run run) {
    byte[] words = new byte[16];
    run.fill(words);
    byte[] text = new byte[run.draw(1, MAX_INPUT)];
    for (int i = 0; i < text.length; i++) {
      text[i] = words[(i * 7 + (i >> 5)) & 15];
    }
    return text;
  }

  /** Returns the content of a buffer. */
  static byte[] content(Buffer buffer) {
    ByteBuffer view = buffer.bytes();
    byte[] bytes = new byte[buffer.length()];
    view.get(0, bytes);
    return bytes;
  }
}
