package io.dpuactors.bridge;

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
public abstract sealed class Lease extends LeaseLoans implements Carried permits Buffer {
  private final int index;

  Lease(BufferPool pool, int index) {
    super(pool);
    this.index = index;
  }

  /** Resets the window for a new lease: no content, initial view and aim. */
  abstract void clearWindow();

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
          "append: "
              + added
              + " to "
              + this
              + ": the first must be a head, and the second must not be in a chain");
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
   * {@inheritDoc} Concerns only the lease that the request had: that lease may have ended with its
   * scope, and the buffer be leased again.
   */
  @Override
  public final void sentIn(Object carrier) {
    if (!lease.isLent()) {
      message.sentIn(carrier, lease.number());
    }
  }

  @Override
  public final void releaseIfSentIn(Object carrier) {
    releaseIfUnsent(message.number(), carrier);
  }

  /** Notes that the holder uses this lease: the message that carried it has arrived. */
  final void noteUse() {
    message.arrived();
  }

  /**
   * Returns the number of this lease when it is in no request and no answer, else 0. Also returns 0
   * for a lease behind another: it returns with the head of its chain.
   *
   * @param loansToBatches its loans to batches in hand; with another loan the lease is in use
   */
  final long numberInHand(int loansToBatches) {
    Lease first = head;
    if (first != null && first.chain != null && first.lease.isLeased()) {
      return 0;
    }
    long number = lease.numberIfLent(loansToBatches);
    return message.carries(number) ? 0 : number;
  }

  final @Nullable Object lastMessage() {
    return message.last();
  }

  /** Releases this lease unless it is lent, or another message has carried it. */
  final void releaseIfUnsent(long number, @Nullable Object last) {
    BufferChain behind = chain;
    if (message.last() == last && lease.endIf(number)) {
      returnToPoolIf(true);
      if (behind != null) {
        behind.release();
      }
    }
  }

  /**
   * Releases this lease when no task has it any more: now, or at the end of its last loan. The
   * lease's chain is released with it. Has no effect on an ended lease. Any thread.
   */
  public final void releaseAfterTasks() {
    BufferChain behind = chain;
    message.answered();
    returnToPoolIf(lease.releaseAfterTasksIf(lease.number()));
    if (behind != null) {
      behind.releaseAfterTasks();
    }
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
    if (pool().debugsLeases()) {
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

  LeaseState state() {
    return lease;
  }

  @Nullable BufferChain chain() {
    return chain;
  }

  LeaseTrace trace() {
    return trace;
  }
}
