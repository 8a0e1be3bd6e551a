package io.dpuactors.comch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Blocks a thread until a test opens the gate. */
final class Gate {
  private static final long BOUND_S = 10;

  private final CountDownLatch held = new CountDownLatch(1);
  private final CountDownLatch open = new CountDownLatch(1);

  /** Blocks the calling thread until the gate opens. */
  void hold() {
    held.countDown();
    await(open);
  }

  /** Waits until a thread is blocked. */
  void awaitHeld() {
    await(held);
  }

  void open() {
    open.countDown();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(BOUND_S, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
