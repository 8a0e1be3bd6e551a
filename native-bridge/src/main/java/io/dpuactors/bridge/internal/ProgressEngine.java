package io.dpuactors.bridge.internal;

import io.dpuactors.bridge.Census;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.WrongThreadException;
import io.dpuactors.bridge.jna.DocaCommon;
import io.dpuactors.bridge.jna.DpuBridge;
import io.dpuactors.bridge.jna.RingLayout;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;

/**
 * A DOCA progress engine with the bridge's two rings in front.
 *
 * <p>Thread: every method except {@link #wake} belongs to the thread that created the engine. The
 * engine and all its objects check this; the {@link WrongThreadException} names both threads.
 *
 * <p>Java accesses the rings without fences: the bridge accesses them only inside native calls of
 * the same thread, so program order is sufficient. The bridge keeps callbacks of other threads in
 * an overflow list under a lock, and moves them to the ring in the next {@link #enter}.
 */
public final class ProgressEngine implements AutoCloseable {
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

  private final Wakers wakers = new Wakers();
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
   * Creates a progress engine for the calling thread, with 256 message cells of 4096 bytes.
   *
   * @param submissionCapacity entries, a power of two from 2 to 65536
   * @param completionCapacity records, a power of two, at least twice the submission capacity
   * @throws IllegalStateException if the bridge has another layout, or refuses the capacities
   * @throws DocaException if DOCA creates no progress engine
   */
  public static ProgressEngine create(
      DocaLibrary library, int submissionCapacity, int completionCapacity) {
    return create(library, submissionCapacity, completionCapacity, MESSAGE_CELLS, MESSAGE_BYTES);
  }

  /**
   * Creates a progress engine for the calling thread.
   *
   * @param submissionCapacity entries, a power of two from 2 to 65536
   * @param completionCapacity records, a power of two, at least twice the submission capacity
   * @param messageCells messages of servers and clients that can wait for a drain, a power of two;
   *     0 for an engine without servers and clients
   * @param messageBytes longest message, a multiple of 64, at most 65536
   * @throws IllegalStateException if the bridge has another layout, or refuses the capacities, or
   *     rings and cells exceed 2 GiB
   * @throws DocaException if DOCA creates no progress engine
   */
  public static ProgressEngine create(
      DocaLibrary library,
      int submissionCapacity,
      int completionCapacity,
      int messageCells,
      int messageBytes) {
    compareLayout();
    RingLayout.checkMemory(submissionCapacity, completionCapacity, messageCells, messageBytes);
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
    int[] reported = new int[RingLayout.count()];
    RingLayout.compare(
        reported, DpuBridge.dpubridge_layout(reported, reported.length), TaskKind.values().length);
  }

  /** Returns the libraries of this engine. Any thread. */
  public DocaLibrary library() {
    return library;
  }

  /** Returns the open objects of this engine. Any thread. */
  public Census census() {
    return census;
  }

  /** Returns the ring for new tasks. */
  public SubmissionRing submissions() {
    return submissions;
  }

  /** Returns the ring of answers and events. */
  public CompletionRing completions() {
    return completions;
  }

  /**
   * Runs one turn in one native call: submits the entries of the submission ring, progresses the
   * device, collects records.
   *
   * @param budget number of {@code doca_pe_progress} calls with an event before the turn ends
   * @return number of records in the completion ring
   * @throws IllegalStateException once, if a record in the overflow list was lost for lack of
   *     memory; the message describes it, and the next turn continues
   */
  public int enter(int budget) {
    checkUse("enter");
    return entered(DpuBridge.dpubridge_enter(bridge, budget));
  }

  /**
   * Does {@link #enter} for a caller without other work: polls the device until there is a record.
   * A {@link #wake} ends the polling and is consumed.
   *
   * @param pollNs longest time to poll
   */
  public int enterAndPoll(int budget, long pollNs) {
    checkUse("enterAndPoll");
    return entered(DpuBridge.dpubridge_poll(bridge, budget, Math.max(0, pollNs)));
  }

  /** Checks the result of a native call that has progressed the device. */
  private int entered(int result) {
    if (result < 0) {
      throw new IllegalStateException(DpuBridge.dpubridge_error());
    }
    tasksInFlight = (int) (read(Counter.SUBMITTED) - read(Counter.COMPLETED));
    return result;
  }

  /**
   * Polls the device, then sleeps, until there is a record, {@link #wake} is called, or the time
   * has passed. Returns at once if records are waiting. Device events without a record, such as
   * most tasks of a batch, are progressed at once, and polling starts again.
   *
   * @param timeoutNs longest time to wait; 0 only polls
   * @param quietNs longest time without a device event; 0 only polls
   * @param spinNs time to poll an idle device before each sleep; 0 sleeps at once
   * @param budget as in {@link #enter}
   * @return the cause: 1 the device, 2 {@link #wake}, 3 both, 0 time-out
   */
  public int await(long timeoutNs, long quietNs, long spinNs, int budget) {
    checkUse("await");
    return entered(
        DpuBridge.dpubridge_wait(
            bridge, Math.max(0, timeoutNs), Math.max(0, quietNs), Math.max(0, spinNs), budget));
  }

  /**
   * Returns the time after which the next {@link #enter} submits a refused task again, nanoseconds;
   * 0 if no turn has to do so. {@link #await} ends at this time.
   */
  public long retryNs() {
    checkUse("retryNs");
    return DpuBridge.dpubridge_retry_ns(bridge);
  }

  /**
   * Ends the {@link #await} of the owning thread, or makes its next one return at once. Any thread.
   * A burst costs one system call. Has no effect after {@link #close}.
   */
  public void wake() {
    if (wakers.enter()) {
      DpuBridge.dpubridge_wake(bridge);
      wakers.leave();
    }
  }

  /**
   * Checks that the calling thread owns this engine.
   *
   * @param operation name of the attempted operation, for the message
   * @throws WrongThreadException naming both threads
   */
  public void checkThread(String operation) {
    Thread caller = Thread.currentThread();
    if (caller != owner) {
      throw new WrongThreadException(operation, owner, caller);
    }
  }

  /**
   * Does {@link #checkThread}, and checks that the engine is open: a closed engine has no rings.
   */
  void checkUse(String operation) {
    checkThread(operation);
    if (bridgeDestroyed) {
      throw new IllegalStateException(operation + ": the progress engine is closed");
    }
  }

  /** Returns the value of a counter since the bridge's creation. */
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

  /** Returns whether {@link #close} has succeeded. */
  public boolean isClosed() {
    checkThread("isClosed");
    return closed;
  }

  /**
   * Destroys the bridge and the progress engine, after everything else. Idempotent.
   *
   * @throws DocaException IN_USE while contexts are attached, or anything except lost leases is
   *     open; the caller may try again after closing them. BAD_STATE in the handler of a record
   */
  @Override
  public void close() {
    checkThread("close");
    if (closed) {
      return;
    }
    completions.checkNoHandlerRuns("close engine");
    checkNothingIsOpen();
    destroyBridge();
    DocaException.check("doca_pe_destroy", DocaCommon.doca_pe_destroy(pe), census.toString());
    closed = true;
  }

  /** DOCA would destroy the engine and leave its objects without an owner. */
  private void checkNothingIsOpen() {
    Set<Census.Resource> open = EnumSet.noneOf(Census.Resource.class);
    open.addAll(census.snapshot().keySet());
    open.remove(Census.Resource.LEASE);
    // The bridge has the attached contexts.
    if (!open.isEmpty() && !open.contains(Census.Resource.CONTEXT)) {
      throw new DocaException("close engine", DocaCode.IN_USE, "still open: " + census);
    }
  }

  private void destroyBridge() {
    if (bridgeDestroyed) {
      return;
    }
    wakers.close();
    if (DpuBridge.dpubridge_destroy(bridge) != 0) {
      wakers.reopen();
      throw new DocaException("dpubridge_destroy", DocaCode.IN_USE, DpuBridge.dpubridge_error());
    }
    bridgeDestroyed = true;
    tasksInFlight = 0;
  }
}
