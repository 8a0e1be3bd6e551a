package io.dpuactors.bridge;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Where one buffer of a pool is in its life. Any thread; no lock, no allocation.
 *
 * <pre>
 *   free --begin--> leased --end--> free
 *                     |  lend / comeBack: contexts hold it, so many times
 *                     |
 *                  abandon --> goes free with the last comeBack, at once when nobody holds it
 * </pre>
 *
 * One word holds all of it, so that every step is one compare-and-set: bit 0 leased, bit 1
 * abandoned, bit 2 taken by a request, bits 3 to 15 how often it is lent, above them the number of
 * the lease, which tells it from every other lease of the same buffer.
 */
final class LeaseState {
  /** What came of an attempt to end a lease. */
  enum End {
    ENDED,
    NOT_LEASED,
    LENT
  }

  private static final long LEASED = 1;
  private static final long ABANDONED = 1 << 1;
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

  /** Who the lease belongs to; published by the state. */
  private @Nullable LeaseScope scope;

  /** Begins a lease; called by whoever has just taken the buffer out of the pool's queue. */
  void begin(@Nullable LeaseScope holder) {
    scope = holder;
    long next = ((state & NUMBER) + ONE_LEASE) | LEASED;
    if (holder == null) {
      STATE.setRelease(this, next);
    } else {
      state = next; // ordered before the look at whether the scope has ended
    }
  }

  /** Ends the lease unless it is lent; if ended, the caller gives the buffer back to its pool. */
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

  /** Ends the lease if it is this one, and not lent. */
  boolean endIf(long number) {
    return STATE.compareAndSet(this, number | LEASED, number);
  }

  /** Counts one more context that holds it; false when nobody has leased it. */
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
   * Lends it to a request, which is the only one; false when another has it, or nobody leased it.
   */
  boolean take() {
    for (long now = state; isHeld(now) && (now & TAKEN) == 0; now = state) {
      if (STATE.compareAndSet(this, now, (now | TAKEN) + ONE_LOAN)) {
        return true;
      }
    }
    return false;
  }

  /** Ends {@link #take}, with the result of {@link #comeBack}. */
  boolean comeBackTaken() {
    return comeBack(TAKEN);
  }

  /** Counts one less; true when that ended an abandoned lease: the caller gives the buffer back. */
  boolean comeBack() {
    return comeBack(0);
  }

  private boolean comeBack(long taken) {
    for (long now = state; ; now = state) {
      if ((now & LOANS) == 0 || (now & taken) != taken) {
        throw new IllegalStateException("comeBack: not lent");
      }
      long next = (now & ~taken) - ONE_LOAN;
      boolean ends = (next & (LOANS | ABANDONED)) == ABANDONED;
      if (STATE.compareAndSet(this, now, ends ? next & NUMBER : next)) {
        return ends;
      }
    }
  }

  /**
   * Nobody will end the lease of this number; true when that ended it: the caller gives the buffer
   * back.
   */
  boolean abandonIf(long number) {
    for (long now = state; isHeld(now) && (now & NUMBER) == number; now = state) {
      if (abandon(now)) {
        return (now & LOANS) == 0;
      }
    }
    return false;
  }

  /** The same if the lease is of this scope. */
  boolean abandonIfOf(LeaseScope ended) {
    for (long now = state; isHeld(now); now = state) {
      if (scope != ended) {
        return false;
      }
      // Fails when this has become another lease, or another's, since.
      if (abandon(now)) {
        return (now & LOANS) == 0;
      }
    }
    return false;
  }

  private static boolean isHeld(long state) {
    return (state & (LEASED | ABANDONED)) == LEASED;
  }

  private boolean abandon(long now) {
    return STATE.compareAndSet(this, now, (now & LOANS) == 0 ? now & NUMBER : now | ABANDONED);
  }

  /** Lets the lease belong to somebody else; by its holder. */
  void moveTo(@Nullable LeaseScope holder) {
    scope = holder;
    STATE.getAndAdd(this, ONE_LEASE); // whoever has read the old scope finds that it is too late
  }

  boolean isLeased() {
    return (state & LEASED) != 0;
  }

  boolean isAbandoned() {
    return (state & ABANDONED) != 0;
  }

  boolean isLent() {
    return (state & LOANS) != 0;
  }

  /** The number of a lease that its holder has; 0 when nobody has, or too many others. */
  long numberIfLent(int times) {
    long now = state;
    return (now & (LEASED | ABANDONED | TAKEN | LOANS)) == (LEASED | times * ONE_LOAN)
        ? now & NUMBER
        : 0;
  }

  boolean isTaken() {
    return (state & TAKEN) != 0;
  }

  boolean isLentOnce() {
    return (state & LOANS) == ONE_LOAN;
  }

  /** Who the lease belongs to; null: nobody in particular, or nobody any more. */
  @Nullable LeaseScope scope() {
    return isLeased() ? scope : null;
  }

  boolean isOf(LeaseScope holder) {
    return isLeased() && scope == holder;
  }

  /** The lease's number, or of the one before when there is none. */
  long number() {
    return state & NUMBER;
  }
}
