package io.dpuactors.benchmarks.load;

import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.ShaProtocol.Algorithm;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntUnaryOperator;

/**
 * A load on a context.
 *
 * @param kind of tasks
 * @param window number of tasks in flight, and of buffer pairs
 * @param bytes content of each source
 * @param batch tasks per request, a divisor of the window; 0 for one message per task
 */
public record Load(Kind kind, int window, int bytes, int batch) {
  /** Kinds of tasks; {@code tasks-c} has the same. */
  public enum Kind {
    /** Deflate. Incompressible content is stored with a small overhead. */
    COMPRESS(TaskKind.COMPRESS_DEFLATE, 64, bytes -> bytes + bytes / 512 + 64),
    /** Copy from memory to memory. */
    DMA(TaskKind.DMA_MEMCPY, 64, bytes -> bytes),
    /** SHA-256. */
    SHA(TaskKind.SHA_HASH, 64, bytes -> Algorithm.SHA256.digestBytes()),
    /** Encryption with a key of 256 bits, and a tag of 16 bytes. */
    AES_GCM(TaskKind.AES_GCM_ENCRYPT, 64, bytes -> bytes + 16),
    /** Redundancy blocks of the data blocks in a source, each a multiple of 64 bytes. */
    ERASURE_CODING(
        TaskKind.EC_CREATE, 64 * DATA_BLOCKS, bytes -> bytes / DATA_BLOCKS * REDUNDANCY_BLOCKS);

    private final TaskKind task;
    private final int smallest;

    @SuppressWarnings("ImmutableEnumChecker") // the functions have no state
    private final IntUnaryOperator destination;

    Kind(TaskKind task, int smallest, IntUnaryOperator destination) {
      this.task = task;
      this.smallest = smallest;
      this.destination = destination;
    }

    /** Returns its name on command lines and in files. */
    public String key() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the kind with a name on command lines. */
    public static Optional<Kind> find(String key) {
      return Arrays.stream(values()).filter(kind -> kind.key().equals(key)).findFirst();
    }

    /** Returns the bytes of a small source: without work of the device, the size has no effect. */
    public int smallest() {
      return smallest;
    }

    /** Returns the device's kind. */
    TaskKind task() {
      return task;
    }

    /** Returns whether requests may have many tasks. */
    boolean hasBatches() {
      return this == COMPRESS || this == DMA;
    }
  }

  /** Number of data blocks of a source of erasure coding. */
  static final int DATA_BLOCKS = 4;

  /** Number of redundancy blocks of a destination. */
  static final int REDUNDANCY_BLOCKS = 2;

  /** Checks ranges. */
  public Load {
    if (window < 1 || bytes < 1) {
      throw new IllegalArgumentException("window " + window + ", " + bytes + " bytes: at least 1");
    }
    if (batch < 0 || batch > window) {
      throw new IllegalArgumentException("a batch of " + batch + ": from 0 to the window");
    }
    if (batch > 0 && !kind.hasBatches()) {
      throw new IllegalArgumentException("no batches of " + kind.key());
    }
    if (batch > 0 && window % batch != 0) {
      throw new IllegalArgumentException(
          "a window of " + window + " is not a whole number of batches of " + batch);
    }
  }

  /** A load with one message per task. */
  public Load(Kind kind, int window, int bytes) {
    this(kind, window, bytes, 0);
  }

  /** Returns the size of a destination. */
  int destinationBytes() {
    return kind.destination.applyAsInt(bytes);
  }
}
