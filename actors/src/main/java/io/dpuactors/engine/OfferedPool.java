package io.dpuactors.engine;

import io.dpuactors.bridge.Carried;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A new pool in the answer to the command that opened it. If no actor receives the answer, nothing
 * else can use the pool, so the engine closes it. Thread: any.
 */
final class OfferedPool implements Carried {
  private final Runnable close;
  private final AtomicBoolean closing = new AtomicBoolean();

  /**
   * Creates the offer of one answer.
   *
   * @param close asks the engine to close the pool; called on any thread
   */
  OfferedPool(Runnable close) {
    this.close = close;
  }

  /** Has no effect: an offer belongs to one answer. */
  @Override
  public void sentIn(Object message) {}

  @Override
  public void releaseIfSentIn(Object message) {
    if (closing.compareAndSet(false, true)) {
      close.run();
    }
  }
}
