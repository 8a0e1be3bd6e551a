package io.dpuactors.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the waits of a loop without a thread. */
@ExtendWith(CleanLog.class)
class ManualLoopTest {
  private final LoopRig rig = new LoopRig();
  private final List<Throwable> reported = new ArrayList<>();
  private int waits;
  private int failingWaits;

  private final ManualLoop loop =
      new ManualLoop(
          "manual",
          LoopRig.settings(IdleMode.ADAPTIVE, 64),
          rig.clock::get,
          new ManualLoop.Owner() {
            @Override
            public void await(ManualLoop waiting, long timeoutNs) {}

            @Override
            public void beforeWait(ManualLoop waiting) {
              waits++;
              if (failingWaits > 0) {
                failingWaits--;
                throw new IllegalStateException("on purpose");
              }
            }
          });

  @BeforeEach
  void attach() {
    loop.execute(() -> loop.attach(rig.device, reported::add));
    loop.runOnce();
  }

  @Test
  void anIdleIterationWaitsAndNeverSleeps() {
    loop.runOnce();
    loop.execute(() -> {});
    loop.runOnce();
    loop.runOnce();
    assertThat(waits).isEqualTo(2);
    assertThat(loop.counters().parks).isEqualTo(2);
    assertThat(rig.device.awaits).isZero();
  }

  @Test
  @ExpectedLog("a wait of the device failed")
  void threeFailedWaitsInARowAreRetriedAfterTheirPauses() {
    failingWaits = 3;
    assertThat(pausesMs()).containsExactly(1L, 10L, 100L);
    loop.runOnce();
    assertThat(waits).isEqualTo(4);
    assertThat(reported).isEmpty();
  }

  @Test
  @ExpectedLog("a wait of the device failed")
  void theFourthFailedWaitInARowIsReported() {
    failingWaits = 4;
    assertThat(pausesMs()).containsExactly(1L, 10L, 100L);
    loop.runOnce();
    assertThat(reported)
        .singleElement()
        .satisfies(cause -> assertThat(cause).hasMessageContaining("4 times in a row"));
    assertThat(loop.untilDueNs()).isEqualTo(Long.MAX_VALUE);
  }

  /** Returns the times from three iterations to their next ones, and lets them pass. */
  private List<Long> pausesMs() {
    List<Long> pauses = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      loop.runOnce();
      pauses.add(Duration.ofNanos(loop.untilDueNs()).toMillis());
      rig.clock.addAndGet(loop.untilDueNs());
    }
    return pauses;
  }
}
