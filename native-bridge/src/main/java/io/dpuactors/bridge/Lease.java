package io.dpuactors.bridge;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The life of a leased {@link Buffer}: from {@link BufferPool#lease} to its one {@link #release}.
 *
 * <p>A lease has one holder at a time and moves with messages. A second {@link #release}, or any
 * use after the first, throws until the slice is leased again. While a context uses the buffer for
 * a task, it is <em>lent</em> and cannot be released. Thread: the current holder's. Passing a lease
 * to another thread needs safe publication, as by a message or a queue.
 *
 * <p>Leases can be {@link #append chained}: a task reads or writes the buffers of a chain one after
 * the other, as one. A chain is lent and returned with its head.
 */
public abstract sealed class Lease implements Carried permits Buffer {
  private static final VarHandle SENT_NUMBER;

  static {
    try {
      SENT_NUMBER = MethodHandles.lookup().findVarHandle(Lease.class, "sentNumber", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final BufferPool pool;
  private final int index;
  private final LeaseState lease = new LeaseState();
  private final LeaseTrace trace = new LeaseTrace();

  /** The chain behind this lease. */
  private @Nullable BufferChain chain;

  /** The head of the chain that this lease is in. */
  private @Nullable Lease head;

  /** The context of the last request that took this lease. */
  private @Nullable Object taker;

  /** Number of the lease that the last request returned; 0 when an answer has carried it since. */
  private long backNumber;

  /** The last message that carried this lease; written before the number of the lease. */
  private @Nullable Object message;

  private volatile long sentNumber;

  /** The last message that carried this lease to a holder who has accessed the lease since. */
  private @Nullable Object received;

  Lease(BufferPool pool, int index) {
    this.pool = pool;
    this.index = index;
  }

  /** Returns this as a buffer. */
  abstract Buffer self();

  /** Resets the window for a new lease: no content, initial view and aim. */
  abstract void clearWindow();

  /** Notes that another user borrows a buffer that may be lent already. */
  abstract void lentAgain();

  /**
   * Returns the slice to its pool, and the chain behind it to its pools. Any thread.
   *
   * @throws IllegalStateException when it was released before, naming the releaser while leases are
   *     debugged; when a context uses it; when it is chained behind another
   */
  public final void release() {
    checkNotBehindAnother("release");
    BufferChain behind = chain;
    switch (lease.end()) {
      case ENDED -> returnToPoolIf(true);
      case LENT -> throw lent("release");
      case NOT_LEASED -> throw notHeld("release");
    }
    if (behind != null) {
      behind.release();
    }
  }

  /** Returns whether this buffer is leased, or abandoned but still in use by a context. */
  public final boolean isLeased() {
    return lease.isLeased();
  }

  /** Returns whether a context uses this buffer for a task. */
  public final boolean isLent() {
    return lease.isLent();
  }

  /**
   * Appends another lease at the end of this lease's chain: tasks use both as one buffer. The other
   * lease may be of another pool of this engine.
   *
   * @param added a lease without a chain, held by the caller as this one is
   * @throws IllegalStateException when one of them is lent or not leased
   * @throws IllegalArgumentException when one of them is chained behind another
   */
  public final void append(Buffer added) {
    Lease more = added;
    checkNotLent("append");
    more.checkNotLent("append");
    if (head != null || more == this || more.head != null || more.chain != null) {
      throw new IllegalArgumentException(
          "append: " + added + " to " + this + ": only to a head, and only what has no chain");
    }
    if (chain == null) {
      chain = new BufferChain(self());
    }
    chain.append(added, more.lease.number());
    more.head = this;
  }

  /**
   * Takes the chain behind this head apart; every buffer stays leased.
   *
   * @throws IllegalStateException while it is lent
   */
  public final void unchain() {
    checkNotLent("unchain");
    checkNotBehindAnother("unchain");
    if (chain != null) {
      chain.unchain();
      chain = null;
    }
  }

  /** Returns the buffers chained behind this one, in order. */
  public final List<Buffer> following() {
    return chain == null ? List.of() : chain.buffers();
  }

  /** Returns whether this is chained behind another, and cannot be used separately. */
  public final boolean isBehindAnother() {
    return head != null;
  }

  /** Returns the number of buffers in the chain of this head; 1 without a chain. */
  public final int elements() {
    return chain == null ? 1 : 1 + chain.size();
  }

  /**
   * Lends the buffer to a context for a task. It does not return to its pool before {@link
   * #returnLoan}, even if its holder ends. May be repeated for further tasks. Any thread; for a chain
   * the engine's.
   *
   * @return false, without effect, when it is not leased
   * @throws DocaException, without effect, when DOCA refuses to build a list of the chain
   */
  public final boolean lend() {
    checkLendable("lend");
    return lease.lend() && lendChain(false);
  }

  /**
   * Lends the buffer to a request, as {@link #lend}. No other request can take it until {@link
   * #returnTaken}. A batch that borrowed it keeps it. Any thread; for a chain the engine's.
   *
   * @param by the request's context, for messages
   * @return false, without effect, when it is not leased, or another request has it, see {@link
   *     #taker}
   * @throws DocaException as {@link #lend}
   */
  public final boolean take(Object by) {
    checkLendable("take");
    if (!lease.take()) {
      return false;
    }
    taker = by;
    backNumber = 0;
    return lendChain(true);
  }

  private void checkLendable(String operation) {
    checkNotBehindAnother(operation);
    if (chain != null) {
      chain.checkThread(operation);
    }
  }

  /** Returns the context whose request has the buffer; null when none has. Engine's thread. */
  public final @Nullable Object taker() {
    return lease.isTaken() ? taker : null;
  }

  /** Lends the buffers behind a lent head; undoes the loan of the head if that fails. */
  private boolean lendChain(boolean taken) {
    lentAgain();
    boolean isLent = false;
    try {
      isLent = chain == null || chain.lend();
    } finally {
      if (!isLent) {
        returnToPoolIf(taken ? lease.returnTaken() : lease.returnLoan());
      }
    }
    return isLent;
  }

  /**
   * Ends one loan to a context; once for each {@link #lend}. The last one returns an abandoned
   * lease to its pool. Any thread; for a chain the engine's.
   */
  public final void returnLoan() {
    if (chain != null) {
      chain.returnLoan();
    }
    returnSingle();
  }

  /** Ends the loan to the request that took the buffer, as {@link #returnLoan}. */
  public final void returnTaken() {
    backNumber = lease.number();
    if (chain != null) {
      chain.returnLoan();
    }
    returnToPoolIf(lease.returnTaken());
  }

  /**
   * {@inheritDoc} Concerns only the lease that the request had: that lease may have ended with its
   * scope, and the buffer be leased again.
   */
  @Override
  public final void sentIn(Object carrier) {
    if (!lease.isLent()) {
      message = carrier;
      SENT_NUMBER.setRelease(this, backNumber == 0 ? lease.number() : backNumber);
      backNumber = 0;
    }
  }

  @Override
  public final void releaseIfSentIn(Object carrier) {
    long number = sentNumber;
    releaseIfUnsent(number, carrier);
  }

  /** Notes that the holder uses this lease: the message that carried it has arrived. */
  final void noteUse() {
    if (received != message) {
      received = message;
    }
  }

  /** Returns the number of this lease when it is in no request and no answer, else 0. */
  final long numberInHand(boolean isInBatch) {
    long number = lease.numberIfLent(isInBatch ? 1 : 0);
    boolean isOnItsWay = sentNumber == number && received != message;
    return isOnItsWay ? 0 : number;
  }

  final @Nullable Object message() {
    return message;
  }

  /** Releases this lease unless it is lent, or another message has carried it. */
  final void releaseIfUnsent(long number, @Nullable Object last) {
    BufferChain behind = chain;
    if (message == last && lease.endIf(number)) {
      returnToPoolIf(true);
      if (behind != null) {
        behind.release();
      }
    }
  }

  /**
   * Abandons this lease, because its holder will not release it. The buffer, with its chain,
   * returns to its pool now, or at the end of its last loan. Has no effect on an ended lease. Any
   * thread.
   */
  public final void abandon() {
    BufferChain behind = chain;
    returnToPoolIf(lease.abandonIf(lease.number()));
    if (behind != null) {
      behind.abandon();
    }
  }

  /** Returns the pool of this lease. */
  public final BufferPool pool() {
    return pool;
  }

  /** Returns the index of this buffer in its pool. */
  public final int index() {
    return index;
  }

  /** Begins a lease; called by the thread that has taken the buffer from the pool's queue. */
  void beginLease(@Nullable LeaseScope holder) {
    clearWindow();
    chain = null;
    head = null;
    if (pool.debugsLeases()) {
      trace.leased(this);
    }
    lease.begin(holder);
  }

  void moveTo(@Nullable LeaseScope holder) {
    checkHeld("hand over");
    if (head != null || chain != null) {
      throw new IllegalStateException("hand over: " + this + " is in a chain");
    }
    lease.moveTo(holder);
  }

  /** Leaves the chain, unless the lease that was chained has ended. */
  void leaveChain(long number) {
    if (lease.number() == number) {
      head = null;
    }
  }

  /** Lends one buffer of a chain; returns false if the lease that was chained has ended. */
  boolean lendIf(long number) {
    if (!lease.lend()) {
      return false;
    }
    if (lease.number() == number) {
      return true;
    }
    returnSingle();
    return false;
  }

  /** Ends one loan of this buffer only. */
  void returnSingle() {
    returnToPoolIf(lease.returnLoan());
  }

  /** Returns the buffer to its pool if its lease has just ended. */
  void returnToPoolIf(boolean ended) {
    if (!ended) {
      return;
    }
    if (pool.debugsLeases()) {
      trace.released(this);
    }
    pool.reclaim(self());
  }

  LeaseState state() {
    return lease;
  }

  @Nullable BufferChain chain() {
    return chain;
  }

  LeaseTrace trace() {
    return trace;
  }

  /** Checks that the buffer is leased, or abandoned but still in use by a context. */
  void checkLeased(String operation) {
    if (!lease.isLeased()) {
      throw notHeld(operation);
    }
  }

  final void checkLent(String operation) {
    if (!lease.isLent()) {
      throw new IllegalStateException(operation + ": the chain of " + this + " is not lent");
    }
  }

  final void checkHeld(String operation) {
    if (!lease.isLeased() || lease.isAbandoned()) {
      throw notHeld(operation);
    }
  }

  final void checkNotLent(String operation) {
    checkHeld(operation);
    if (lease.isLent()) {
      throw lent(operation);
    }
  }

  final void checkNotBehindAnother(String operation) {
    Lease first = head;
    if (first != null && lease.isLeased()) {
      throw new IllegalStateException(operation + ": " + this + " is chained behind " + first);
    }
  }

  private IllegalStateException lent(String operation) {
    return new IllegalStateException(operation + ": " + this + " is lent to a context");
  }

  private IllegalStateException notHeld(String operation) {
    String why = lease.isLeased() ? " was given up, its task has not ended" : " is not leased";
    IllegalStateException failure = new IllegalStateException(operation + ": " + this + why);
    Throwable before = trace.releasedAt();
    if (before != null) {
      failure.initCause(before);
    }
    return failure;
  }
}
