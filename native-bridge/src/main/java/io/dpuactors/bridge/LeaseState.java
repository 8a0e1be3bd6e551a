package io.dpuactors.bridge;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * State of one buffer of a pool. Any thread; no lock, no allocation.
 *
 * <pre>
 *   free --begin--> leased --end--> free
 *                     |  lend / returnLoan: number of loans to contexts
 *                     |
 *             releaseAfterTasks --> free with the last returnLoan, at once without loans
 * </pre>
 *
 * One word holds the state, so that every step is one compare-and-set. Bit 0: leased. Bit 1: ends
 * with its last loan. Bit 2: taken by a request. Bits 3 to 15: number of loans. Higher bits: number
 * of the lease, which identifies it among all leases of the buffer.
 */
final class LeaseState {
  /** Result of an attempt to end a lease. */
  enum End {
    ENDED,
    NOT_LEASED,
    LENT
  }

  private static final long LEASED = 1;
  private static final long ENDING = 1 << 1;
  private static final long TAKEN = 1 << 2;
  private static final long ONE_LOAN = 1 << 3;
  private static final long ONE_LEASE = 1 << 16;
  private static final long LOANS = ONE_LEASE - ONE_LOAN;
  private static final long NUMBER = -ONE_LEASE;

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(LeaseState.class, "state", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile long state;

  /** Scope of the lease; published by the state. */
  private @Nullable LeaseScope scope;

  /** Begins a lease; called by the thread that has taken the buffer from the pool's queue. */
  void begin(@Nullable LeaseScope holder) {
    scope = holder;
    long next = ((state & NUMBER) + ONE_LEASE) | LEASED;
    if (holder == null) {
      STATE.setRelease(this, next);
    } else {
      state = next; // ordered before the check whether the scope has ended
    }
  }

  /**
   * Ends the lease unless it is lent. If the lease ended, the caller returns the buffer to its
   * pool.
   */
  End end() {
    for (long now = state; ; now = state) {
      if (!isHeld(now)) {
        return End.NOT_LEASED;
      }
      if ((now & LOANS) != 0) {
        return End.LENT;
      }
      if (STATE.compareAndSet(this, now, now & NUMBER)) {
        return End.ENDED;
      }
    }
  }

  /** Ends the lease if it has this number and is not lent. */
  boolean endIf(long number) {
    return STATE.compareAndSet(this, number | LEASED, number);
  }

  /** Counts one more loan; returns false when the buffer is not leased. */
  boolean lend() {
    for (long now = state; isHeld(now); now = state) {
      if ((now & LOANS) == LOANS) {
        throw new IllegalStateException("lend: lent " + LOANS / ONE_LOAN + " times already");
      }
      if (STATE.compareAndSet(this, now, now + ONE_LOAN)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Lends the buffer to a request. Returns false when another request has it, it is not leased, or
   * it has the largest number of loans.
   */
  boolean take() {
    for (long now = state; mayBeTaken(now); now = state) {
      if (STATE.compareAndSet(this, now, (now | TAKEN) + ONE_LOAN)) {
        return true;
      }
    }
    return false;
  }

  private static boolean mayBeTaken(long state) {
    return isHeld(state) && (state & TAKEN) == 0 && (state & LOANS) != LOANS;
  }

  /** Ends {@link #take}, with the result of {@link #returnLoan}. */
  boolean returnTaken() {
    return returnLoan(TAKEN);
  }

  /**
   * Counts one loan less. Returns true if the lease ended with it: the caller returns the buffer.
   */
  boolean returnLoan() {
    return returnLoan(0);
  }

  private boolean returnLoan(long taken) {
    for (long now = state; ; now = state) {
      if ((now & LOANS) == 0 || (now & taken) != taken) {
        throw new IllegalStateException("returnLoan: not lent");
      }
      long next = (now & ~taken) - ONE_LOAN;
      boolean ends = (next & (LOANS | ENDING)) == ENDING;
      if (STATE.compareAndSet(this, now, ends ? next & NUMBER : next)) {
        return ends;
      }
    }
  }

  /**
   * Releases the lease with this number now, or with its last loan. Returns true if it ended: the
   * caller returns the buffer.
   */
  boolean releaseAfterTasksIf(long number) {
    for (long now = state; isHeld(now) && (now & NUMBER) == number; now = state) {
      if (releaseAfterTasks(now)) {
        return (now & LOANS) == 0;
      }
    }
    return false;
  }

  /** Works as {@link #releaseAfterTasksIf}, for a lease of this scope. */
  boolean releaseAfterTasksIfOf(LeaseScope ended) {
    for (long now = state; isHeld(now); now = state) {
      if (scope != ended) {
        return false;
      }
      // Fails when the lease, or its scope, has changed since.
      if (releaseAfterTasks(now)) {
        return (now & LOANS) == 0;
      }
    }
    return false;
  }

  private static boolean isHeld(long state) {
    return (state & (LEASED | ENDING)) == LEASED;
  }

  private boolean releaseAfterTasks(long now) {
    return STATE.compareAndSet(this, now, (now & LOANS) == 0 ? now & NUMBER : now | ENDING);
  }

  /** Moves the lease to another scope; called by its holder. */
  void moveTo(@Nullable LeaseScope holder) {
    scope = holder;
    STATE.getAndAdd(this, ONE_LEASE); // a thread that has read the old scope detects the change
  }

  boolean isLeased() {
    return (state & LEASED) != 0;
  }

  boolean isEnding() {
    return (state & ENDING) != 0;
  }

  boolean isLent() {
    return (state & LOANS) != 0;
  }

  /**
   * Returns the number of the lease if it has exactly this many loans, none of them to a request;
   * else 0.
   */
  long numberIfLent(int times) {
    long now = state;
    return (now & (LEASED | ENDING | TAKEN | LOANS)) == (LEASED | times * ONE_LOAN)
        ? now & NUMBER
        : 0;
  }

  boolean isTaken() {
    return (state & TAKEN) != 0;
  }

  boolean isLentOnce() {
    return (state & LOANS) == ONE_LOAN;
  }

  /** Returns the scope of the lease; null: none, or ended. */
  @Nullable LeaseScope scope() {
    return isLeased() ? scope : null;
  }

  boolean isOf(LeaseScope holder) {
    return isLeased() && scope == holder;
  }

  /** Returns the number of the lease; of the previous one when there is none. */
  long number() {
    return state & NUMBER;
  }
}
