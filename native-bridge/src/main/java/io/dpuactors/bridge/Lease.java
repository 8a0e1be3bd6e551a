package io.dpuactors.bridge;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The life of a leased {@link Buffer}: from {@link BufferPool#lease} to its one {@link #release}.
 *
 * <p>A lease has one holder at a time and moves with messages. A second {@link #release}, or any
 * use after the first, throws until somebody else leases the slice. While a context has it for a
 * task it is <em>lent</em>, and cannot be returned. Thread: the holder's, whichever that is;
 * whoever hands it over must do so safely, as a message or a queue does.
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

  /** What is chained behind this. */
  private @Nullable BufferChain chain;

  /** What this is chained behind. */
  private @Nullable Lease head;

  /** The context whose request took it last. */
  private @Nullable Object taker;

  /** The lease that the last request gave back; 0 when an answer has carried it since. */
  private long backNumber;

  /** The last message that carried it, written before the lease that it carried. */
  private @Nullable Object message;

  private volatile long sentNumber;

  /** The last message that carried it to a holder who has looked at it since. */
  private @Nullable Object received;

  Lease(BufferPool pool, int index) {
    this.pool = pool;
    this.index = index;
  }

  /** This. */
  abstract Buffer self();

  /** A lease begins: no content, view and aim as new. */
  abstract void clearWindow();

  /** It is lent for something else than what it may be lent for already. */
  abstract void lentAgain();

  /**
   * Gives the slice back to its pool, and what is chained behind it to theirs. Any thread.
   *
   * @throws IllegalStateException when it was given back before, naming who did while leases are
   *     debugged; when a context has it; when it is chained behind another
   */
  public final void release() {
    checkNotBehindAnother("release");
    BufferChain behind = chain;
    switch (lease.end()) {
      case ENDED -> goBackIf(true);
      case LENT -> throw lent("release");
      case NOT_LEASED -> throw notHeld("release");
    }
    if (behind != null) {
      behind.release();
    }
  }

  /** Whether somebody holds it, or a context still does for somebody who has given it up. */
  public final boolean isLeased() {
    return lease.isLeased();
  }

  /** Whether a context has it for a task. */
  public final boolean isLent() {
    return lease.isLent();
  }

  /**
   * Chains another lease behind this one, at the end of its chain: tasks take both as one. It may
   * be of another pool, of this engine.
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

  /** What is chained behind this, in order. */
  public final List<Buffer> following() {
    return chain == null ? List.of() : chain.buffers();
  }

  /** Whether it is chained behind another, and cannot be used by itself. */
  public final boolean isBehindAnother() {
    return head != null;
  }

  /** How many buffers the chain of this head has; 1 without a chain. */
  public final int elements() {
    return chain == null ? 1 : 1 + chain.size();
  }

  /**
   * A context takes it for a task: until {@link #comeBack} it is not returned to its pool, whoever
   * ends. May be done again for further tasks. Any thread; for a chain the engine's.
   *
   * @return false when nobody holds it any more; nothing was done
   * @throws DocaException when DOCA refuses to make a list of the chain; nothing was done
   */
  public final boolean lend() {
    checkLendable("lend");
    return lease.lend() && lendChain(false);
  }

  /**
   * A request takes it: as {@link #lend}, and no other request can take it until {@link
   * #comeBackTaken}. A batch that has it may keep it. Any thread; for a chain the engine's.
   *
   * @param by the request's context, for people
   * @return false when nobody holds it any more, or another request has it, see {@link #taker};
   *     nothing was done
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

  /** The context whose request has it; null when none has. Engine's thread. */
  public final @Nullable Object taker() {
    return lease.isTaken() ? taker : null;
  }

  /** Lends the buffers behind a head that is lent; undoes the loan of the head if that fails. */
  private boolean lendChain(boolean taken) {
    lentAgain();
    boolean isLent = false;
    try {
      isLent = chain == null || chain.lend();
    } finally {
      if (!isLent) {
        goBackIf(taken ? lease.comeBackTaken() : lease.comeBack());
      }
    }
    return isLent;
  }

  /**
   * The context lets go, once for each {@link #lend}. An abandoned lease goes back to its pool with
   * the last one. Any thread; for a chain the engine's.
   */
  public final void comeBack() {
    if (chain != null) {
      chain.comeBack();
    }
    letGo();
  }

  /** The request that took it lets go, as {@link #comeBack}. */
  public final void comeBackTaken() {
    backNumber = lease.number();
    if (chain != null) {
      chain.comeBack();
    }
    goBackIf(lease.comeBackTaken());
  }

  /**
   * {@inheritDoc} The lease of a request may have ended with its scope, and the buffer be leased
   * again: what counts is the lease that the request had.
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

  /** Its holder looks at it: the message that carried it has arrived. */
  final void look() {
    if (received != message) {
      received = message;
    }
  }

  /** The number of its lease when neither a request nor an answer has it, else 0. */
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
      goBackIf(true);
      if (behind != null) {
        behind.release();
      }
    }
  }

  /**
   * Its holder will not return it: it goes back to its pool now, or when the last context that has
   * it lets go; a chain does as a whole. Without effect on a lease that has ended. Any thread.
   */
  public final void abandon() {
    BufferChain behind = chain;
    goBackIf(lease.abandonIf(lease.number()));
    if (behind != null) {
      behind.abandon();
    }
  }

  /** Where it is leased from. */
  public final BufferPool pool() {
    return pool;
  }

  /** Its number in the pool. */
  public final int index() {
    return index;
  }

  /** Begins a lease; called by whoever has just taken it out of the pool's queue. */
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

  /** Leaves the chain, if it is still the lease that was chained. */
  void leaveChain(long number) {
    if (lease.number() == number) {
      head = null;
    }
  }

  /** Lends one buffer of a chain; false when it is not the lease that was chained. */
  boolean lendIf(long number) {
    if (!lease.lend()) {
      return false;
    }
    if (lease.number() == number) {
      return true;
    }
    letGo();
    return false;
  }

  /** Undoes one loan of this buffer alone. */
  void letGo() {
    goBackIf(lease.comeBack());
  }

  /** Gives the buffer back to its pool if its lease has just ended. */
  void goBackIf(boolean ended) {
    if (!ended) {
      return;
    }
    if (pool.debugsLeases()) {
      trace.released(this);
    }
    pool.takeBack(self());
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

  /** Somebody holds it, or a context for somebody who has given it up. */
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
