package io.dpuactors.bridge;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
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
 * <pre>{@code
 *  IDLE --begin--> RUNNING --end--> IDLE          any number of times
 *   |                 |
 * close            abandon
 *   v                 v
 *  CLOSED <--end-- ABANDONED                      the device finishes the run first
 * }</pre>
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

  /**
   * Facts about the sources of a batch.
   *
   * @param longest bytes of the longest source
   * @param empty first task with an empty source; -1: none
   * @param beyond first task whose source does not fit into its destination; -1: none
   */
  public record Fit(long longest, int empty, int beyond) {}

  private enum State {
    IDLE,
    RUNNING,
    ABANDONED,
    CLOSED
  }

  private final AtomicReference<State> state = new AtomicReference<>(State.IDLE);
  private final BatchBuffers buffers;
  private final BatchMemory memory;

  /**
   * Whether another user may use the buffers between two runs. Each run then passes all buffers to
   * DOCA again, and sets the length of each destination at its end.
   */
  private volatile boolean shared;

  /** The message that carries this batch to its holder; null once the batch runs again. */
  private volatile @Nullable Object message;

  /** The last message that carried this batch to a holder who has accessed the batch since. */
  private @Nullable Object received;

  /** Number of ended runs; shows buffers whether their length is current. */
  private int runs;

  private TaskBatch(BatchBuffers buffers) {
    this.buffers = buffers;
    this.shared = buffers.areLentAlready();
    this.memory = new BatchMemory(buffers);
  }

  private static TaskBatch of(BatchBuffers lent) {
    TaskBatch batch = new TaskBatch(lent);
    lent.join(batch);
    return batch;
  }

  /**
   * Creates a batch of tasks that each read one buffer and write another, for contexts of DMA and
   * compress. The sources have their content already, or {@link #sourceLength} sets it. Lends all
   * of the buffers.
   *
   * @param sources leased, without chains
   * @param destinations one per source, different from all sources
   * @throws IllegalArgumentException when there are none or too many, the numbers differ, one is in
   *     a chain, or one is source and destination of its task; nothing was lent
   * @throws IllegalStateException when one is not leased; nothing was lent
   */
  public static TaskBatch of(List<Buffer> sources, List<Buffer> destinations) {
    return of(BatchBuffers.lendPairs(sources, destinations));
  }

  /**
   * Creates a batch of buffers that a consumer posts, and that producers fill in order. Throws as
   * {@link #of}, also when a buffer is in the list twice or they are of more than one pool.
   */
  public static TaskBatch ofReceives(List<Buffer> buffers) {
    return of(BatchBuffers.lendDestinations(buffers));
  }

  /**
   * Creates a batch of buffers that a producer sends in order, without immediate data. They have
   * their content already. Each run sends to one consumer. Throws as {@link #of}, also when a
   * buffer is in the list twice.
   */
  public static TaskBatch ofSends(List<Buffer> buffers) {
    return of(BatchBuffers.lendSources(buffers));
  }

  /** Returns whether tasks of this kind use sources and destinations as this batch has them. */
  public boolean isOf(TaskKind kind) {
    return switch (kind) {
      case COMCH_PRODUCER_SEND -> destinations().isEmpty();
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

  /** Returns whether the holder may run, change or close this batch. */
  boolean isIdle() {
    return state.get() == State.IDLE;
  }

  /**
   * Begins a run, during which the engine owns this batch. Returns false if it runs or is closed.
   */
  public boolean begin() {
    if (!state.compareAndSet(State.IDLE, State.RUNNING)) {
      return false;
    }
    message = null;
    memory.begin();
    if (shared) {
      memory.forget(0);
    }
    return true;
  }

  /** Begins a run of sends to the consumer with this id, as {@link #begin()}. */
  public boolean begin(int consumer) {
    boolean begun = begin();
    if (begun) {
      memory.sendTo(consumer);
    }
    return begun;
  }

  /**
   * Sets the content length of a source for the next runs.
   *
   * @param bytes 0 to its capacity
   * @throws IllegalStateException during a run, or after {@link #close}
   */
  public void sourceLength(int task, int bytes) {
    if (!isIdle()) {
      throw new IllegalStateException("sourceLength: " + this);
    }
    sources().get(task).setWritten(bytes);
    memory.sourceLength(task, bytes);
  }

  /** Returns facts about the sources of a batch with sources and destinations. */
  public Fit fit() {
    return memory.fit(destinations());
  }

  /** Ends the run: the device no longer accesses this batch. Engine's thread. */
  public void end() {
    if (!state.compareAndSet(State.RUNNING, State.IDLE)
        && state.compareAndSet(State.ABANDONED, State.CLOSED)) {
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

  /** Gives up this batch: the end of the run returns all buffers to their pools. */
  public void retain() {
    state.compareAndSet(State.RUNNING, State.ABANDONED);
    buffers.abandon();
  }

  /**
   * Returns the borrowed buffers to their holder. Idempotent.
   *
   * @throws IllegalStateException during a run
   */
  public void close() {
    if (!closeIfIdle() && state.get() == State.RUNNING) {
      throw new IllegalStateException("close: " + this);
    }
  }

  private boolean closeIfIdle() {
    boolean isIdle = state.compareAndSet(State.IDLE, State.CLOSED);
    if (isIdle) {
      buffers.returnLoan(this);
    }
    return isIdle;
  }

  @Override
  public void sentIn(Object carrier) {
    if (isIdle()) {
      message = carrier;
    }
  }

  @Override
  public void releaseIfSentIn(Object carrier) {
    if (message == carrier && state.compareAndSet(State.IDLE, State.CLOSED)) {
      buffers.abandon();
      buffers.returnLoan(this);
    }
  }

  /** Returns whether this batch is in no request and in no answer. */
  boolean isInHand() {
    return isIdle() && received == message;
  }

  @Nullable Object message() {
    return message;
  }

  /** Closes this batch unless it runs, or another message has carried it. */
  void closeIfUnsent(@Nullable Object last) {
    if (message == last) {
      closeIfIdle();
    }
  }

  /** Closes this batch because its holder has ended: now, or at the end of its run. */
  void abandon() {
    if (!closeIfIdle()) {
      state.compareAndSet(State.RUNNING, State.ABANDONED);
    }
  }

  /** Returns the results of the last run. */
  public BatchResults results() {
    received = message;
    return memory.results();
  }

  /** Returns the consumer of the last run of sends; 0: none. */
  public int consumer() {
    return memory.consumer();
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
