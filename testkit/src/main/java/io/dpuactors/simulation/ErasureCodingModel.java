package io.dpuactors.simulation;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.ErasureCodingProtocol.Batch;
import io.dpuactors.protocol.ErasureCodingProtocol.Create;
import io.dpuactors.protocol.ErasureCodingProtocol.CreateMatrix;
import io.dpuactors.protocol.ErasureCodingProtocol.Definition;
import io.dpuactors.protocol.ErasureCodingProtocol.DestroyMatrix;
import io.dpuactors.protocol.ErasureCodingProtocol.Matrix;
import io.dpuactors.protocol.ErasureCodingProtocol.MatrixCreated;
import io.dpuactors.protocol.ErasureCodingProtocol.Recover;
import io.dpuactors.protocol.ErasureCodingProtocol.Update;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/**
 * Redundancy of a matrix of the program, recovery of one data block, and redundancy after the
 * change of that block.
 */
@SuppressWarnings("ArrayRecordComponent") // no code compares requests
final class ErasureCodingModel implements TaskModel {
  private static final int MAX_DATA = 4;
  private static final int MAX_REDUNDANCY = 3;
  private static final int GRANULE = 64;
  private static final int MAX_GRANULES = 2;

  /** The polynomial of the field with 256 elements. */
  private static final int POLYNOMIAL = 0x11d;

  private final Map<TaskKind, Matrix> matrices = new EnumMap<>(TaskKind.class);
  private byte[] coefficients = {};
  private int data;
  private int redundancy;
  private int block;

  private record Coding(byte[] input, Matrix matrix, byte[] expected) implements Work {
    @Override
    public Object request(Buffer src, Buffer dst, long tag, ActorRef<TaskReply> replyTo) {
      return switch (matrix.kind()) {
        case EC_RECOVER -> new Recover(matrix, src, dst, tag, replyTo);
        case EC_UPDATE -> new Update(matrix, src, dst, tag, replyTo);
        default -> new Create(matrix, src, dst, tag, replyTo);
      };
    }

    @Override
    public Object batchKey() {
      return matrix;
    }

    @Override
    public Object batch(List<Work> works, TaskBatch batch, long tag, ActorRef<BatchReply> replyTo) {
      return new Batch(matrix, batch, tag, replyTo);
    }

    @Override
    public boolean isRight(Completed reply, byte[] output) {
      return Arrays.equals(output, expected);
    }
  }

  @Override
  public TaskLibrary library() {
    return TaskLibrary.ERASURE_CODING;
  }

  @Override
  public @Nullable Object create(Run run, ActorRef<Object> replyTo) {
    Matrix coding = matrices.get(TaskKind.EC_CREATE);
    if (coding == null) {
      drawMatrix(run);
      return matrix(new Definition.Custom(coefficients.clone(), data, redundancy), replyTo);
    }
    if (!matrices.containsKey(TaskKind.EC_RECOVER)) {
      return matrix(new Definition.Recovery(coding, List.of(block)), replyTo);
    }
    return matrices.containsKey(TaskKind.EC_UPDATE)
        ? null
        : matrix(new Definition.Change(coding, List.of(block)), replyTo);
  }

  private static Object matrix(Definition definition, ActorRef<Object> replyTo) {
    return new CreateMatrix(definition, replyTo.narrow());
  }

  /** Draws coefficients without a zero: any data block is recoverable from the first redundancy. */
  private void drawMatrix(Run run) {
    data = run.draw(2, MAX_DATA);
    redundancy = run.draw(1, MAX_REDUNDANCY);
    block = run.draw(0, data - 1);
    coefficients = new byte[data * redundancy];
    for (int i = 0; i < coefficients.length; i++) {
      coefficients[i] = (byte) run.draw(1, 255);
    }
  }

  @Override
  public boolean created(Object reply) {
    if (reply instanceof MatrixCreated created) {
      matrices.put(created.matrix().kind(), created.matrix());
      return true;
    }
    return false;
  }

  @Override
  public @Nullable Object destroy(ActorRef<Object> replyTo) {
    Matrix update = matrices.remove(TaskKind.EC_UPDATE);
    return update == null ? null : new DestroyMatrix(update, replyTo.narrow());
  }

  @Override
  public void forget() {
    matrices.clear();
  }

  @Override
  public Work draw(Run run) {
    int size = GRANULE * run.draw(1, MAX_GRANULES);
    byte[] blocks = new byte[data * size];
    run.fill(blocks);
    return switch (run.oneOf(TaskKind.EC_CREATE, TaskKind.EC_RECOVER, TaskKind.EC_UPDATE)) {
      case EC_RECOVER -> recovery(blocks, size);
      case EC_UPDATE -> update(run, blocks, size);
      default -> new Coding(blocks, matrix(TaskKind.EC_CREATE), redundancyOf(blocks, size));
    };
  }

  private Matrix matrix(TaskKind kind) {
    return Objects.requireNonNull(matrices.get(kind));
  }

  /** The source has all other data blocks and the first redundancy block. */
  private Work recovery(byte[] blocks, int size) {
    byte[] source = new byte[data * size];
    int end = 0;
    for (int i = 0; i < data; i++) {
      if (i != block) {
        System.arraycopy(blocks, i * size, source, end, size);
        end += size;
      }
    }
    System.arraycopy(redundancyOf(blocks, size), 0, source, end, size);
    return new Coding(source, matrix(TaskKind.EC_RECOVER), blockOf(blocks, size));
  }

  /** The source has the old and the new block, and the old redundancy. */
  private Work update(Run run, byte[] blocks, int size) {
    byte[] changed = new byte[size];
    run.fill(changed);
    byte[] source = Arrays.copyOf(blockOf(blocks, size), (2 + redundancy) * size);
    System.arraycopy(changed, 0, source, size, size);
    System.arraycopy(redundancyOf(blocks, size), 0, source, 2 * size, redundancy * size);
    System.arraycopy(changed, 0, blocks, block * size, size);
    return new Coding(source, matrix(TaskKind.EC_UPDATE), redundancyOf(blocks, size));
  }

  private byte[] blockOf(byte[] blocks, int size) {
    return Arrays.copyOfRange(blocks, block * size, (block + 1) * size);
  }

  private byte[] redundancyOf(byte[] blocks, int size) {
    byte[] parity = new byte[redundancy * size];
    for (int i = 0; i < data; i++) {
      for (int j = 0; j < redundancy; j++) {
        int coefficient = coefficients[i * redundancy + j] & 0xff;
        for (int k = 0; k < size; k++) {
          parity[j * size + k] ^= (byte) product(coefficient, blocks[i * size + k] & 0xff);
        }
      }
    }
    return parity;
  }

  /** Multiplies in the field with 256 elements. */
  private static int product(int one, int other) {
    int product = 0;
    int shifted = one;
    for (int rest = other; rest > 0; rest >>= 1) {
      product ^= (rest & 1) * shifted;
      shifted = shifted << 1 ^ (shifted >> 7) * POLYNOMIAL;
    }
    return product;
  }
}
