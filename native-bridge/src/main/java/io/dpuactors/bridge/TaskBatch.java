package io.dpuactors.bridge;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tasks of one kind that are submitted together, in any number of runs. The batch describes its
 * tasks once, in memory that the bridge reads. A run therefore costs one entry and one record for
 * any number of tasks. The bridge submits the tasks in order, from the callbacks of completed
 * tasks.
 *
 * <p>Each task reads a source and writes a destination ({@link #of}), only receives into a
 * destination ({@link #ofReceives}), or only sends a source ({@link #ofSends}).
 *
 * <p>A batch runs any number of times. If its holder abandons it during a run, the device finishes
 * the run before the batch is closed.
 *
 * <p>The batch borrows its buffers from its creation until it is closed. They stay leased. Between
 * runs, their holder may read and write them; after {@link #close} the holder releases them. A
 * {@link LeaseScope} that ends closes its batches.
 *
 * <p>Thread: any, but one at a time; the engine's thread during a run.
 */
public final class TaskBatch implements Carried {
  /** Maximum number of tasks of one batch. */
  public static final int MAX_TASKS = 65_536;

  /** Size of a cell with the object and the parameters of one task. */
  public static final int CELL_BYTES = 32;

  /**
   * Facts about the buffers of a batch.
   *
   * @param longest bytes of the longest source
   * @param empty first task with an empty source; -1: none
   * @param smallest capacity in bytes of the smallest destination
   */
  public record Fit(long longest, int empty, int smallest) {}

  private final BatchState state = new BatchState();
  private final BatchBuffers buffers;
  private final BatchMemory memory;

  /**
   * Whether another user may use the buffers between two runs. Each run then passes all buffers to
   * DOCA again, and sets the length of each destination at its end.
   */
  private volatile boolean shared;

  /** Number of ended runs; shows buffers whether their length is current. */
  private int runs;

  private TaskBatch(BatchBuffers buffers) {
    this.buffers = buffers;
    this.shared = buffers.areLentAlready();
    this.memory = buffers.describe();
    buffers.join(this);
  }

  /**
   * Creates a batch of tasks that each read one buffer and write another, for the contexts of
   * {@link TaskLibrary} and for reads and writes of an RDMA connection. The sources have their
   * content already, or {@link #sourceLength} sets it. Lends all of the buffers.
   *
   * @param sources leased, without chains
   * @param destinations one per source, different from all sources
   * @throws IllegalArgumentException for none or too many buffers, different numbers, a buffer in a
   *     chain, or a buffer that is source and destination of its task; no buffer was borrowed
   * @throws IllegalStateException when one is not leased; nothing was lent
   * @throws OutOfMemoryError at the JVM's limit of direct memory; nothing was lent
   */
  public static TaskBatch of(List<Buffer> sources, List<Buffer> destinations) {
    return new TaskBatch(BatchBuffers.lendPairs(sources, destinations));
  }

  /**
   * Creates a batch of buffers that a consumer posts, and that producers fill in order. Throws as
   * {@link #of}, also when a buffer is in the list twice or they are of more than one pool.
   */
  public static TaskBatch ofReceives(List<Buffer> buffers) {
    return new TaskBatch(BatchBuffers.lendDestinations(buffers));
  }

  /**
   * Creates a batch of buffers that a producer or an RDMA connection sends in order, without
   * immediate data. They have their content already. Each run of a producer sends to one consumer.
   * Throws as {@link #of}, also when a buffer is in the list twice.
   */
  public static TaskBatch ofSends(List<Buffer> buffers) {
    return new TaskBatch(BatchBuffers.lendSources(buffers));
  }

  /** Returns whether tasks of this kind use sources and destinations as this batch has them. */
  public boolean isOf(TaskKind kind) {
    return switch (kind) {
      case COMCH_PRODUCER_SEND, RDMA_SEND -> destinations().isEmpty();
      case COMCH_CONSUMER_RECV -> sources().isEmpty();
      default -> sources().size() == destinations().size();
    };
  }

  /** Returns the inputs in their given order; none for receives. */
  public List<Buffer> sources() {
    return buffers.sources();
  }

  /**
   * Returns the outputs in their given order; none for sends. The length of each is what its task
   * has written, 0 if the task failed.
   */
  public List<Buffer> destinations() {
    return buffers.destinations();
  }

  /** Returns the number of tasks. */
  public int size() {
    return buffers.size();
  }

  /**
   * Begins a run, during which the engine owns this batch. Returns false if it runs or is closed.
   */
  public boolean begin() {
    if (!state.begin()) {
      return false;
    }
    memory.begin();
    if (shared) {
      memory.forget(0);
    }
    return true;
  }

  /** Sets the argument of all tasks of a begun run, such as the consumer of sends. */
  public void argument(long argument) {
    memory.argument(argument);
  }

  /**
   * Limits the tasks of a begun run on the device; 0: to the number of the context. May be called
   * during the run; a higher limit has effect when the next task ends. Engine's thread.
   */
  public void limit(int tasks) {
    memory.limit(tasks);
  }

  /**
   * Makes the argument of each task of a begun run the address of a cell. Returns the cells, {@link
   * #CELL_BYTES} each, in native byte order. The run passes all tasks to DOCA again.
   */
  public ByteBuffer cells() {
    return memory.cells();
  }

  /**
   * Sets the content length of a source for the next runs.
   *
   * @param bytes 0 to its capacity
   * @throws IllegalStateException during a run, or after {@link #close}
   */
  public void sourceLength(int task, int bytes) {
    if (!state.isIdle()) {
      throw new IllegalStateException("sourceLength: " + this);
    }
    sources().get(task).setWritten(bytes);
    memory.sourceLength(task, bytes);
  }

  /** Returns facts about the buffers of a batch with sources and destinations. */
  public Fit fit() {
    return memory.fit();
  }

  /** Returns the content length of a source in bytes. */
  public long sourceLength(int task) {
    return memory.sourceLength(task);
  }

  /** Notes that all lengths suit tasks of this kind, until a length changes. */
  public void checked(TaskKind kind) {
    memory.checked(kind);
  }

  /** Returns whether {@link #checked} was called for this kind since a length changed. */
  public boolean isChecked(TaskKind kind) {
    return memory.isChecked(kind);
  }

  /** Returns a buffer that contexts of the device of this memory cannot use, or null. */
  public @Nullable Buffer foreign(PoolMemory ofContext) {
    return memory.foreign(buffers, ofContext);
  }

  /** Ends the run: the device no longer accesses this batch. Engine's thread. */
  public void end() {
    if (state.end()) {
      buffers.returnLoan(this);
    }
  }

  /** Sets the length of each destination to what its task has written; call before {@link #end}. */
  public void written() {
    runs++;
    if (shared) {
      buffers.written(memory.results());
    }
  }

  /** Returns a number that changes with the lengths of the destinations. */
  int runs() {
    return runs;
  }

  /** Notes that another user borrowed one of the buffers. */
  void share() {
    shared = true;
  }

  /** Abandons this batch: all buffers return to their pools, now or at the end of the run. */
  public void retain() {
    releaseAfterTasks();
    buffers.releaseAfterTasks();
  }

  /**
   * Returns the borrowed buffers to their holder. Idempotent.
   *
   * @throws IllegalStateException during a run
   */
  public void close() {
    if (!closeIfIdle() && state.isRunning()) {
      throw new IllegalStateException("close: " + this);
    }
  }

  private boolean closeIfIdle() {
    boolean isIdle = state.close();
    if (isIdle) {
      buffers.returnLoan(this);
    }
    return isIdle;
  }

  @Override
  public void sentIn(Object carrier) {
    state.sentIn(carrier);
  }

  @Override
  public void releaseIfSentIn(Object carrier) {
    if (state.message() == carrier && state.close()) {
      buffers.releaseAfterTasks();
      buffers.returnLoan(this);
    }
  }

  /** Returns whether this batch is in no request and in no answer. */
  boolean isInHand() {
    return state.isInHand();
  }

  @Nullable Object message() {
    return state.message();
  }

  /** Closes this batch unless it runs, or another message has carried it. */
  void closeIfUnsent(@Nullable Object last) {
    if (state.message() == last) {
      closeIfIdle();
    }
  }

  /** Closes this batch because its holder has ended: now, or at the end of its run. Any thread. */
  void releaseAfterTasks() {
    if (state.closeAfterRun()) {
      buffers.returnLoan(this);
    }
  }

  /** Returns the results of the last run. */
  public BatchResults results() {
    state.accessed();
    return memory.results();
  }

  /** Returns the argument of the first task in the last run; of sends, the consumer's id. */
  public long argument() {
    return memory.argument();
  }

  /** Returns the address for the bridge; valid while this batch is reachable. */
  public long address() {
    return memory.address();
  }

  @Override
  public String toString() {
    return "batch of " + size() + " tasks (" + state + ")";
  }
}
