package io.dpuactors.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.testing.CleanLog;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the thread that checks all loops of the process. */
@ExtendWith(CleanLog.class)
class StallWatchTest {
  private final CountDownLatch checks = new CountDownLatch(3);

  @Test
  void aCheckThatThrowsDoesNotEndTheChecks() throws Exception {
    EngineLoop loop =
        new EngineLoop("watched", LoopRig.settings(IdleMode.EVENT, 64), System::nanoTime) {
          @Override
          CurrentTurn turn() {
            checks.countDown();
            throw new IllegalStateException("on purpose");
          }
        };
    StallWatch.add(loop, TimeUnit.MILLISECONDS.toNanos(1));
    try {
      assertThat(checks.await(10, TimeUnit.SECONDS)).isTrue();
    } finally {
      StallWatch.remove(loop);
    }
  }
}
