package io.dpuactors.bridge;

import org.jspecify.annotations.Nullable;

/**
 * The loans of a {@link Lease}, and the checks of its state. While a context uses the buffer for a
 * task, it is <em>lent</em> and does not return to its pool.
 */
abstract sealed class LeaseLoans permits Lease {
  final LeaseState lease = new LeaseState();
  final LeaseTrace trace = new LeaseTrace();
  final LeaseMessage message = new LeaseMessage();

  /** The chain behind this lease. */
  @Nullable BufferChain chain;

  /** The head of the chain that this lease is in. */
  @Nullable Lease head;

  private final BufferPool pool;

  /** The context of the last request that took this lease. */
  private @Nullable Object taker;

  LeaseLoans(BufferPool pool) {
    this.pool = pool;
  }

  /** Returns this as a buffer. */
  abstract Buffer self();

  /** Notes that another user borrows a buffer that may be lent already. */
  abstract void lentAgain();

  /** Returns the pool of this lease. */
  public final BufferPool pool() {
    return pool;
  }

  /** Returns whether this buffer is leased, also if its lease ends with its last loan. */
  public final boolean isLeased() {
    return lease.isLeased();
  }

  /** Returns whether a context uses this buffer for a task. */
  public final boolean isLent() {
    return lease.isLent();
  }

  /**
   * Lends the buffer to a context for a task. The buffer does not return to its pool before {@link
   * #returnLoan}, even if its holder ends. May be repeated for further tasks. Any thread; for a
   * chain the engine's.
   *
   * @return false, without effect, when it is not leased
   * @throws DocaException without effect, when DOCA refuses to build a list of the chain
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
    message.taken();
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
   * Ends one loan to a context; once for each {@link #lend}. The last one ends a lease that {@link
   * Lease#releaseAfterTasks} has released. Any thread; for a chain the engine's.
   */
  public final void returnLoan() {
    if (chain != null) {
      chain.returnLoan();
    }
    returnSingle();
  }

  /** Ends the loan to the request that took the buffer, as {@link #returnLoan}. */
  public final void returnTaken() {
    message.returned(lease.number());
    if (chain != null) {
      chain.returnLoan();
    }
    returnToPoolIf(lease.returnTaken());
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
      trace.released(self());
    }
    pool.reclaim(self());
  }

  /** Checks that the buffer is leased, also if its lease ends with its last loan. */
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
    if (!lease.isLeased() || lease.isEnding()) {
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

  final IllegalStateException lent(String operation) {
    return new IllegalStateException(operation + ": " + this + " is lent to a context");
  }

  final IllegalStateException notHeld(String operation) {
    String why =
        lease.isLeased()
            ? " was released after its tasks, and a task has not ended"
            : " is not leased";
    IllegalStateException failure = new IllegalStateException(operation + ": " + this + why);
    Throwable before = trace.releasedAt();
    if (before != null) {
      failure.initCause(before);
    }
    return failure;
  }
}
