package io.dpuactors.bridge;

import io.dpuactors.bridge.jna.DocaCommon;
import io.dpuactors.bridge.jna.DpuBridge;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A DOCA progress engine with the bridge's two rings in front.
 *
 * <p>Thread: every method but {@link #wake} belongs to the thread that created the engine. That is
 * checked, here and in everything that belongs to an engine; the {@link WrongThreadException} names
 * both threads.
 *
 * <p>The rings are read and written with plain accesses, without fences: the bridge touches them
 * only inside native calls that this very thread makes, so program order is all the order there is
 * to keep. Callbacks that arrive on a thread of the device's own are set aside by the bridge under
 * a lock and reach the ring inside the next {@link #enter}.
 */
public final class ProgressEngine implements AutoCloseable {
  private static final int CLOSED = Integer.MIN_VALUE;
  private static final int MESSAGE_CELLS = 256;
  private static final int MESSAGE_BYTES = 4096;

  private final DocaLibrary library;
  private final Thread owner = Thread.currentThread();
  private final Census census = new Census();
  private final long pe;
  private final long bridge;
  private final ByteBuffer memory;
  private final SubmissionRing submissions;
  private final CompletionRing completions;

  /**
   * Threads inside {@link #wake}, and {@link #CLOSED}: the bridge is freed only once nobody is
   * inside.
   */
  private final AtomicInteger wakers = new AtomicInteger();

  private volatile int tasksInFlight;
  private boolean bridgeDestroyed;
  private boolean closed;

  private ProgressEngine(
      DocaLibrary library, long pe, long bridge, int submissionCapacity, int completionCapacity) {
    this.library = library;
    this.pe = pe;
    this.bridge = bridge;
    this.memory =
        DpuBridge.view(
            DpuBridge.dpubridge_memory(bridge), DpuBridge.dpubridge_memory_bytes(bridge));
    this.submissions = new SubmissionRing(this, memory, submissionCapacity);
    this.completions =
        new CompletionRing(
            this,
            memory,
            RingLayout.HEADER_BYTES + submissionCapacity * RingLayout.ENTRY_BYTES,
            completionCapacity);
    census.watch(Census.Resource.TASK, () -> tasksInFlight);
  }

  /**
   * Creates a progress engine that belongs to the calling thread and receives up to 256 messages of
   * up to 4096 bytes between two drains.
   *
   * @param submissionCapacity entries, a power of two from 2 to 65536
   * @param completionCapacity records, a power of two, at least twice the submission capacity
   * @throws IllegalStateException when the bridge was built from other sources, or refuses the
   *     capacities
   * @throws DocaException when DOCA makes no progress engine
   */
  public static ProgressEngine create(
      DocaLibrary library, int submissionCapacity, int completionCapacity) {
    return create(library, submissionCapacity, completionCapacity, MESSAGE_CELLS, MESSAGE_BYTES);
  }

  /**
   * Creates a progress engine that belongs to the calling thread.
   *
   * @param submissionCapacity entries, a power of two from 2 to 65536
   * @param completionCapacity records, a power of two, at least twice the submission capacity
   * @param messageCells messages of servers and clients that can wait to be drained, a power of
   *     two; 0 for an engine without servers and clients
   * @param messageBytes longest message, a multiple of 64, at most 65536
   * @throws IllegalStateException when the bridge was built from other sources, or refuses the
   *     capacities
   * @throws DocaException when DOCA makes no progress engine
   */
  public static ProgressEngine create(
      DocaLibrary library,
      int submissionCapacity,
      int completionCapacity,
      int messageCells,
      int messageBytes) {
    compareLayout();
    long[] pe = new long[1];
    DocaException.check("doca_pe_create", DocaCommon.doca_pe_create(pe), library.name());
    long bridge =
        DpuBridge.dpubridge_create(
            pe[0], submissionCapacity, completionCapacity, messageCells, messageBytes);
    if (bridge == 0) {
      IllegalStateException failure = new IllegalStateException(DpuBridge.dpubridge_error());
      Suppressed.add(failure, "doca_pe_destroy", DocaCommon.doca_pe_destroy(pe[0]));
      throw failure;
    }
    return new ProgressEngine(library, pe[0], bridge, submissionCapacity, completionCapacity);
  }

  private static void compareLayout() {
    int[] told = new int[RingLayout.count()];
    int known = DpuBridge.dpubridge_layout(told, told.length);
    RingLayout.compare(told, known);
  }

  /** The libraries that this engine drives. Any thread. */
  public DocaLibrary library() {
    return library;
  }

  /** What is open on this engine. Any thread. */
  public Census census() {
    return census;
  }

  /** Where tasks are put. */
  public SubmissionRing submissions() {
    return submissions;
  }

  /** Where answers are found. */
  public CompletionRing completions() {
    return completions;
  }

  /**
   * One turn, one native call: submits what is in the submission ring, progresses the device,
   * collects records.
   *
   * @param budget how often {@code doca_pe_progress} may report something before the turn ends
   * @return records in the completion ring
   * @throws IllegalStateException once when something that had to wait for room was lost because
   *     the machine had no memory for it, saying what; the next turn goes on without it
   */
  public int enter(int budget) {
    checkUse("enter");
    return entered(DpuBridge.dpubridge_enter(bridge, budget));
  }

  /**
   * {@link #enter} for a caller that has nothing else to do: while there is no record, the device
   * is looked at again and again. A {@link #wake} ends that, and is taken.
   *
   * @param lookNs for so long at most
   */
  public int look(int budget, long lookNs) {
    checkUse("look");
    return entered(DpuBridge.dpubridge_look(bridge, budget, Math.max(0, lookNs)));
  }

  private int entered(int waiting) {
    if (waiting < 0) {
      throw new IllegalStateException(DpuBridge.dpubridge_error());
    }
    tasksInFlight = inFlight();
    return waiting;
  }

  private int inFlight() {
    return (int) (read(Counter.SUBMITTED) - read(Counter.COMPLETED));
  }

  /**
   * Looks at the device, then sleeps, until there is something for the caller, {@link #wake} is
   * called, or the time has passed. Returns at once while records are waiting. Whatever the device
   * does, it is progressed: what waits for a task is with the device at once; and when no record
   * came of it, as of most tasks of a batch, the look begins anew.
   *
   * @param timeoutNs at most so long; 0 only looks
   * @param quietNs at most so long without anything that the device has done; 0 only looks
   * @param spinNs how long to look at a device that does nothing before each sleep; 0 sleeps at
   *     once
   * @param budget as of {@link #enter}
   * @return why it returned: 1 the device, 2 {@link #wake}, 3 both, 0 time-out
   */
  public int await(long timeoutNs, long quietNs, long spinNs, int budget) {
    checkUse("await");
    int woken =
        DpuBridge.dpubridge_wait(
            bridge, Math.max(0, timeoutNs), Math.max(0, quietNs), Math.max(0, spinNs), budget);
    if (woken < 0) {
      throw new IllegalStateException(DpuBridge.dpubridge_error());
    }
    tasksInFlight = inFlight();
    return woken;
  }

  /**
   * Ends the {@link #await} of the owning thread, or makes its next one return at once. Any thread;
   * a burst costs one system call; harmless after {@link #close}.
   */
  public void wake() {
    for (int inside = wakers.get(); inside >= 0; inside = wakers.get()) {
      if (wakers.compareAndSet(inside, inside + 1)) {
        DpuBridge.dpubridge_wake(bridge);
        wakers.decrementAndGet();
        return;
      }
    }
  }

  /**
   * Throws unless the calling thread owns this engine.
   *
   * @param operation what the message says was tried
   * @throws WrongThreadException naming both threads
   */
  public void checkThread(String operation) {
    Thread caller = Thread.currentThread();
    if (caller != owner) {
      throw new WrongThreadException(operation, owner, caller);
    }
  }

  /** {@link #checkThread}, and throws when the engine is closed: its rings are gone. */
  void checkUse(String operation) {
    checkThread(operation);
    if (bridgeDestroyed) {
      throw new IllegalStateException(operation + ": the progress engine is closed");
    }
  }

  /** What the bridge has counted since its creation. */
  public long counter(Counter counter) {
    checkUse("counter");
    return read(counter);
  }

  private long read(Counter counter) {
    return memory.getLong(RingLayout.COUNTERS + counter.value() * Long.BYTES);
  }

  /** The {@code struct doca_pe *}. */
  long pointer() {
    return pe;
  }

  /** The {@code struct dpubridge *}. */
  long bridge() {
    return bridge;
  }

  /** Whether {@link #close} has succeeded. */
  public boolean isClosed() {
    checkThread("isClosed");
    return closed;
  }

  /**
   * Destroys bridge and progress engine, the last of all. Idempotent.
   *
   * @throws DocaException IN_USE while contexts are attached, or anything but lost leases is open;
   *     may be called again when that is closed
   */
  @Override
  public void close() {
    checkThread("close");
    if (closed) {
      return;
    }
    checkNothingIsOpen();
    destroyBridge();
    DocaException.check("doca_pe_destroy", DocaCommon.doca_pe_destroy(pe), census.toString());
    closed = true;
  }

  /** DOCA would let go of the engine and leave the rest without anybody who may close it. */
  private void checkNothingIsOpen() {
    Set<Census.Resource> open = EnumSet.noneOf(Census.Resource.class);
    open.addAll(census.snapshot().keySet());
    open.remove(Census.Resource.LEASE);
    // Of contexts the bridge knows which are attached.
    if (!open.isEmpty() && !open.contains(Census.Resource.CONTEXT)) {
      throw new DocaException(
          DocaError.of("close engine", DocaCode.IN_USE.value(), "still open: " + census));
    }
  }

  private void destroyBridge() {
    if (bridgeDestroyed) {
      return;
    }
    wakers.accumulateAndGet(CLOSED, (inside, flag) -> inside | flag);
    while (wakers.get() != CLOSED) {
      Thread.onSpinWait();
    }
    if (DpuBridge.dpubridge_destroy(bridge) != 0) {
      wakers.accumulateAndGet(~CLOSED, (inside, mask) -> inside & mask);
      throw new DocaException(
          DocaError.of("dpubridge_destroy", DocaCode.IN_USE.value(), DpuBridge.dpubridge_error()));
    }
    bridgeDestroyed = true;
    tasksInFlight = 0;
  }
}
