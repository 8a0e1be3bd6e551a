package io.dpuactors.bridge;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The state of a {@link TaskBatch}, and the message that carries the batch to its holder.
 *
 * <pre>{@code
 *  IDLE --begin--> RUNNING --end--> IDLE          any number of times
 *   |                 |
 * close         closeAfterRun
 *   v                 v
 *  CLOSED <--end-- ENDING                         the device finishes the run first
 * }</pre>
 *
 * <p>{@link #closeAfterRun} also closes an idle batch.
 *
 * <p>Methods that return a boolean return whether the state has changed. Thread: the batch's.
 */
final class BatchState {
  private enum Phase {
    IDLE,
    RUNNING,
    ENDING,
    CLOSED
  }

  private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.IDLE);

  /** The message that carries the batch to its holder; null once the batch runs again. */
  private volatile @Nullable Object message;

  /** The last message that carried the batch to a holder who has accessed the batch since. */
  private @Nullable Object received;

  boolean isIdle() {
    return phase.get() == Phase.IDLE;
  }

  boolean isRunning() {
    return phase.get() == Phase.RUNNING;
  }

  boolean begin() {
    boolean begins = phase.compareAndSet(Phase.IDLE, Phase.RUNNING);
    if (begins) {
      message = null;
    }
    return begins;
  }

  /** Ends a run. Returns whether this has closed the batch. */
  boolean end() {
    return !phase.compareAndSet(Phase.RUNNING, Phase.IDLE)
        && phase.compareAndSet(Phase.ENDING, Phase.CLOSED);
  }

  boolean close() {
    return phase.compareAndSet(Phase.IDLE, Phase.CLOSED);
  }

  /**
   * Closes the batch now, or at the end of its run. One step, because another thread may end the
   * run meanwhile. Returns whether this has closed the batch.
   */
  boolean closeAfterRun() {
    Phase before =
        phase.getAndUpdate(
            now ->
                switch (now) {
                  case IDLE, CLOSED -> Phase.CLOSED;
                  case RUNNING, ENDING -> Phase.ENDING;
                });
    return before == Phase.IDLE;
  }

  /** Notes the message that carries the batch, unless a run or the end has come first. */
  void sentIn(Object carrier) {
    if (isIdle()) {
      message = carrier;
    }
  }

  /** Notes that the holder accesses the batch. */
  void accessed() {
    received = message;
  }

  /** Returns whether the batch is in no request and in no answer. */
  boolean isInHand() {
    return isIdle() && received == message;
  }

  @Nullable Object message() {
    return message;
  }

  @Override
  public String toString() {
    return phase.toString();
  }
}
