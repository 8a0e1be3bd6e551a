package io.dpuactors.protocol;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.bridge.TaskHandle;
import io.dpuactors.bridge.TaskKind;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/**
 * Messages to an erasure coding context. Blocks of a source or destination are equal, lie behind
 * each other, and have a multiple of 64 bytes. A chain of buffers is one source.
 */
public final class ErasureCodingProtocol {
  private static final int GRANULE = 64;

  private ErasureCodingProtocol() {}

  /** A message to the context. */
  public sealed interface Command extends LocalMessage
      permits CreateMatrix, DestroyMatrix, Create, Recover, Update, Batch, GetCapabilities, Stop {}

  /** The answer to the command that opens an erasure coding context. */
  public sealed interface OpenReply extends ContextReply<Command> {}

  /** The context is running. */
  public record Opened(String name, ActorRef<Command> context)
      implements OpenReply, ContextReply.Opened<Command> {}

  /** The start failed, and the actor has stopped. */
  public record OpenFailed(String name, DocaError error)
      implements OpenReply, ContextReply.OpenFailed<Command> {}

  /**
   * A matrix of one context. A restart of the context ends it.
   *
   * @param inputs blocks of a source
   * @param outputs blocks of a destination
   */
  public record Matrix(TaskHandle handle, TaskKind kind, int inputs, int outputs) {}

  /** The definition of a matrix. */
  public sealed interface Definition {
    /**
     * A Cauchy matrix of {@link Create} tasks. Any {@code redundancy} blocks may be missing.
     *
     * @param data number of data blocks; with {@code redundancy} at most 256
     */
    record Cauchy(int data, int redundancy) implements Definition {}

    /** A Vandermonde matrix. Some sets of missing blocks are not recoverable. */
    record Vandermonde(int data, int redundancy) implements Definition {}

    /**
     * A matrix of the program.
     *
     * @param coefficients of data block i in redundancy block j at index i * redundancy + j
     */
    @SuppressWarnings("ArrayRecordComponent") // no code compares definitions
    record Custom(byte[] coefficients, int data, int redundancy) implements Definition {
      /** Checks the number of coefficients, and copies them. */
      public Custom {
        if (coefficients.length != (long) data * redundancy) {
          throw new IllegalArgumentException(
              "%d coefficients for %d data and %d redundancy blocks"
                  .formatted(coefficients.length, data, redundancy));
        }
        coefficients = coefficients.clone();
      }

      /** Returns a copy of the coefficients. */
      @Override
      public byte[] coefficients() {
        return coefficients.clone();
      }
    }

    /**
     * The matrix of {@link Recover} tasks for these missing blocks.
     *
     * @param missing ascending indices of data blocks, which come first, and redundancy blocks
     */
    record Recovery(Matrix coding, List<Integer> missing) implements Definition {
      /** Copies the list. */
      public Recovery {
        missing = List.copyOf(missing);
      }
    }

    /**
     * The matrix of {@link Update} tasks for these changed blocks.
     *
     * @param changed ascending indices of data blocks
     */
    record Change(Matrix coding, List<Integer> changed) implements Definition {
      /** Copies the list. */
      public Change {
        changed = List.copyOf(changed);
      }
    }
  }

  /**
   * Creates a matrix. Answer: {@link MatrixReply}.
   *
   * @param owner the matrix is destroyed after this actor has ended and its tasks have completed;
   *     empty: {@link DestroyMatrix} or the end of the context destroys the matrix
   */
  public record CreateMatrix(
      Definition definition, Optional<ActorRef<?>> owner, ActorRef<MatrixReply> replyTo)
      implements Command, TaskProtocol.CreateObject {
    /** A matrix that no actor owns. */
    public CreateMatrix(Definition definition, ActorRef<MatrixReply> replyTo) {
      this(definition, Optional.empty(), replyTo);
    }

    private record Call(String function, List<Object> arguments, TaskKind kind, int in, int out) {}

    private Call call() {
      if (definition instanceof Definition.Cauchy it) {
        return coding("", List.of(1, (long) it.data, (long) it.redundancy), it.data, it.redundancy);
      }
      if (definition instanceof Definition.Vandermonde it) {
        return coding("", List.of(2, (long) it.data, (long) it.redundancy), it.data, it.redundancy);
      }
      if (definition instanceof Definition.Custom it) {
        List<Object> arguments = List.of(it.coefficients, (long) it.data, (long) it.redundancy);
        return coding("_from_raw", arguments, it.data, it.redundancy);
      }
      if (definition instanceof Definition.Recovery it) {
        int missing = it.missing.size();
        return new Call(
            "matrix_create_recover",
            derived(it.coding, it.missing),
            TaskKind.EC_RECOVER,
            it.coding.inputs,
            missing);
      }
      Definition.Change it = (Definition.Change) definition;
      return new Call(
          "matrix_create_update",
          derived(it.coding, it.changed),
          TaskKind.EC_UPDATE,
          2 * it.changed.size() + it.coding.outputs,
          it.coding.outputs);
    }

    private static Call coding(String suffix, List<Object> arguments, int data, int redundancy) {
      return new Call("matrix_create" + suffix, arguments, TaskKind.EC_CREATE, data, redundancy);
    }

    private static List<Object> derived(Matrix coding, List<Integer> indices) {
      int[] array = indices.stream().mapToInt(Integer::intValue).toArray();
      return List.of(coding.handle, array, (long) array.length);
    }

    @Override
    public String noun() {
      return "matrix";
    }

    @Override
    public String function() {
      return call().function;
    }

    @Override
    public List<Object> arguments() {
      return call().arguments;
    }

    @Override
    public void created(TaskHandle handle) {
      Call call = call();
      replyTo.tell(new MatrixCreated(new Matrix(handle, call.kind, call.in, call.out)));
    }

    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new MatrixRefused(error));
    }
  }

  /** The answer to {@link CreateMatrix}. */
  public sealed interface MatrixReply extends LocalMessage {}

  /** The matrix exists. */
  public record MatrixCreated(Matrix matrix) implements MatrixReply {}

  /** The definition is illegal, or the context ends. */
  public record MatrixRefused(DocaError error) implements MatrixReply {}

  /** Destroys a matrix after the tasks that use it. */
  public record DestroyMatrix(Matrix matrix, ActorRef<TaskProtocol.ObjectDestroyed> replyTo)
      implements Command, TaskProtocol.DestroyObject {
    @Override
    public TaskHandle handle() {
      return matrix.handle;
    }
  }

  /** One or more tasks with a matrix. */
  private interface MatrixTask extends DeviceRequest {
    Matrix matrix();

    @Override
    default TaskHandle handle() {
      return matrix().handle;
    }

    @Override
    default @Nullable String problem(int task, long sourceBytes) {
      if (matrix().kind != kind()) {
        return "the matrix serves " + matrix().kind + " tasks";
      }
      return sourceBytes % ((long) matrix().inputs * GRANULE) == 0
          ? null
          : "%d bytes are not %d blocks of a multiple of %d bytes"
              .formatted(sourceBytes, matrix().inputs, GRANULE);
    }

    @Override
    default long limitedBytes(long sourceBytes) {
      return sourceBytes / matrix().inputs;
    }

    @Override
    default long minOutputBytes(int task, long sourceBytes) {
      return limitedBytes(sourceBytes) * matrix().outputs;
    }
  }

  /**
   * Computes the redundancy blocks of data blocks. Answer: {@link TaskReply} without checksums.
   *
   * @param src all data blocks in order
   * @param dst gets the redundancy blocks in order
   */
  public record Create(Matrix matrix, Buffer src, Buffer dst, long tag, ActorRef<TaskReply> replyTo)
      implements Command, TaskRequest, MatrixTask {
    @Override
    public TaskKind kind() {
      return TaskKind.EC_CREATE;
    }
  }

  /**
   * Computes missing blocks. Answer: {@link TaskReply} without checksums.
   *
   * @param matrix of {@link Definition.Recovery}
   * @param src as many available blocks as there are data blocks: the first ones that are not
   *     missing, in order
   * @param dst gets the missing blocks in order
   */
  public record Recover(
      Matrix matrix, Buffer src, Buffer dst, long tag, ActorRef<TaskReply> replyTo)
      implements Command, TaskRequest, MatrixTask {
    @Override
    public TaskKind kind() {
      return TaskKind.EC_RECOVER;
    }
  }

  /**
   * Computes the redundancy blocks after a change of data blocks. Answer: {@link TaskReply} without
   * checksums.
   *
   * @param matrix of {@link Definition.Change}
   * @param src the old and the new block for each changed block, then the old redundancy blocks
   * @param dst gets the new redundancy blocks in order
   */
  public record Update(Matrix matrix, Buffer src, Buffer dst, long tag, ActorRef<TaskReply> replyTo)
      implements Command, TaskRequest, MatrixTask {
    @Override
    public TaskKind kind() {
      return TaskKind.EC_UPDATE;
    }
  }

  /**
   * Executes many tasks with one matrix: those of {@link Create}, {@link Recover} or {@link
   * Update}, by the matrix. Answer: one {@link BatchReply} without checksums.
   */
  public record Batch(Matrix matrix, TaskBatch batch, long tag, ActorRef<BatchReply> replyTo)
      implements Command, BatchRequest, MatrixTask {
    @Override
    public TaskKind kind() {
      return matrix.kind;
    }
  }

  /** Asks for the capabilities of the context's device. Answer: {@link TaskCapabilities}. */
  public record GetCapabilities(ActorRef<TaskCapabilities> replyTo)
      implements Command, TaskProtocol.CapabilityQuery {}
}
