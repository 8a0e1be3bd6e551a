package io.dpuactors.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.loop.ManualLoop;
import io.dpuactors.node.LaneSettings;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.ManualEngine;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

/** Tests that failed turns do not keep the contexts of an ending engine open. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class LastTurnsTest {
  private static final LaneSettings LANE = new LaneSettings(8, 16, ManualEngine.SECOND);

  private ManualEngine engine;
  private ManualLoop loop;
  private int failures;
  private int failedWaits;

  /** Returns after the last failed wait. */
  private @Nullable Buffer held;

  @BeforeEach
  void create() {
    FreshSoftDpu.DEVICE.execution(SoftDpu.Execution.INLINE);
    engine = ManualEngine.create(8);
    loop = new ManualLoop("manual", ManualEngine.settings(), engine.core::nowNs, owner());
    engine.open("first", LANE);
    engine.open("second", LANE);
    engine.settle();
    engine.core.closeNodes();
  }

  private ManualLoop.Owner owner() {
    return new ManualLoop.Owner() {
      @Override
      public void await(ManualLoop waiting, long timeoutNs) {
        engine.advance(timeoutNs);
        if (failedWaits == 0 && held != null) {
          held.release();
          held = null;
        }
      }

      @Override
      public void beforeWait(ManualLoop waiting) {
        if (failedWaits > 0) {
          failedWaits--;
          throw new IllegalStateException("on purpose");
        }
      }
    };
  }

  @AfterEach
  void close() {
    engine.settle();
    engine.close();
  }

  @Test
  void threeFailedTurnsInARowAreRepeated() {
    failures = 3;
    runLastTurns();
    assertThat(failures).isZero();
    assertThat(engine.core.isVacant()).isTrue();
  }

  @Test
  @ExpectedLog("the progress engine failed while its contexts were stopping")
  void fourFailedTurnsInARowEndTheAttempts() {
    failures = 5;
    runLastTurns();
    assertThat(failures).isEqualTo(1);
    assertThat(engine.core.isVacant()).isFalse();
  }

  /** The pauses after the waits, of 1 ms each, pass on the clock of the loop. */
  @Test
  void turnsContinueAfterFailedWaits() {
    held = engine.buffer();
    failedWaits = 6;
    long beforeNs = engine.core.nowNs();
    runLastTurns();
    assertThat(engine.core.isVacant()).isTrue();
    assertThat(failedWaits).isZero();
    assertThat(engine.core.nowNs() - beforeNs).isGreaterThanOrEqualTo(6_000_000);
  }

  /** Runs the turns in a task of the loop, as the engine's actor does. */
  private void runLastTurns() {
    LastTurns turns =
        new LastTurns(
            loop,
            engine.core,
            new OwnedMemory(engine.core.pools(), owner -> {}),
            this::beforeTurn,
            engine.core.log(() -> LoggerFactory.getLogger(LastTurnsTest.class)));
    loop.execute(() -> turns.run(engine.core.nowNs() + 10 * ManualEngine.SECOND));
    loop.runOnce();
  }

  private void beforeTurn() {
    if (failures > 0) {
      failures--;
      throw new IllegalStateException("on purpose");
    }
  }
}
