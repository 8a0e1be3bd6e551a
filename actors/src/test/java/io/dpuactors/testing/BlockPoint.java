package io.dpuactors.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Blocks a thread until a test releases it. */
public final class BlockPoint {
  private static final long BOUND_S = 10;

  private final CountDownLatch blocked = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);

  /** Blocks the calling thread until {@link #release}. */
  public void block() {
    blocked.countDown();
    await(released);
  }

  /** Waits until a thread is blocked. */
  public void awaitBlocked() {
    await(blocked);
  }

  public void release() {
    released.countDown();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(BOUND_S, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
