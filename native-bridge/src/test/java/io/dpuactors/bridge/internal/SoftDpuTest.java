package io.dpuactors.bridge.internal;

import static io.dpuactors.bridge.TaskKind.COMPRESS_DEFLATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.SoftDpu;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Tests the controls of the software DPU. */
class SoftDpuTest {
  private static final long DELAY_NS = TimeUnit.MILLISECONDS.toNanos(2);

  /** longer than one execution without a fault */
  private static final long EXECUTION_NS = TimeUnit.MICROSECONDS.toNanos(20);

  @Test
  void aDelayedTaskEndsByTheVirtualClock() {
    try (Rig rig = new Rig()) {
      Rig.SOFT_DPU.execution(SoftDpu.Execution.INLINE);
      Rig.SOFT_DPU.seed(1);
      Rig.SOFT_DPU.manualClock(true);
      Rig.SOFT_DPU.faults("compress-deflate:delay=2ms");
      BufferPool pool = rig.pool(2, 4096);
      Buffer src = Rig.lease(pool, Inputs.text(100));
      Buffer dst = Rig.lease(pool);
      DocaContext context = rig.compress(1, COMPRESS_DEFLATE);
      long task = rig.offer(context, COMPRESS_DEFLATE, src, dst, 0);
      turns(rig);
      assertThat(rig.answer(task)).as("time stands still").isNull();
      Rig.SOFT_DPU.advanceClock(EXECUTION_NS);
      turns(rig);
      long before = Rig.SOFT_DPU.clock();
      Rig.SOFT_DPU.advanceClock(DELAY_NS - EXECUTION_NS);
      assertThat(Rig.SOFT_DPU.clock() - before).isEqualTo(DELAY_NS - EXECUTION_NS);
      turns(rig);
      assertThat(rig.answer(task)).as("executed, and late").isNull();
      Rig.SOFT_DPU.advanceClock(EXECUTION_NS);
      assertThat(rig.await(task).code()).isEqualTo(DocaCode.SUCCESS);
      assertThat(Rig.SOFT_DPU.faultCounters()).containsEntry("delayed", 1L);
      src.release();
      dst.release();
    }
  }

  private static void turns(Rig rig) {
    for (int i = 0; i < 50; i++) {
      rig.turn();
    }
  }

  @Test
  void theSameSeedGivesTheSameOrder() {
    List<List<Long>> runs = new ArrayList<>();
    for (long seed : new long[] {1, 1, 2, 3, 4}) {
      runs.add(orderWithSeed(seed));
    }
    assertThat(runs.get(0)).isEqualTo(runs.get(1));
    assertThat(runs).as("some seed gives another order").anyMatch(run -> !run.equals(runs.get(0)));
  }

  private static List<Long> orderWithSeed(long seed) {
    try (Rig rig = new Rig()) {
      Rig.SOFT_DPU.execution(SoftDpu.Execution.INLINE);
      Rig.SOFT_DPU.seed(seed);
      BufferPool pool = rig.pool(2, 4096);
      Buffer src = Rig.lease(pool, Inputs.text(100));
      Buffer dst = Rig.lease(pool);
      DocaContext context = rig.compress(16, COMPRESS_DEFLATE);
      List<Long> tasks =
          LongStream.range(0, 16)
              .mapToObj(i -> rig.offer(context, COMPRESS_DEFLATE, src, dst, 0))
              .toList();
      rig.until(() -> rig.order().size() == tasks.size());
      src.release();
      dst.release();
      return rig.order();
    }
  }

  @Test
  void settingsWaitUntilNothingIsStarted() {
    try (Rig rig = new Rig()) {
      rig.compress(1, COMPRESS_DEFLATE);
      assertThatThrownBy(() -> Rig.SOFT_DPU.execution(SoftDpu.Execution.INLINE))
          .isInstanceOf(DocaException.class)
          .hasMessage("softdpu_set_execution: DOCA_ERROR_BAD_STATE (18): INLINE");
      assertThatThrownBy(() -> Rig.SOFT_DPU.nullDevice(true)).hasMessageContaining("BAD_STATE");
      assertThatThrownBy(() -> Rig.SOFT_DPU.seed(-1))
          .hasMessage("softdpu_set_seed: DOCA_ERROR_BAD_STATE (18): 18446744073709551615");
    }
  }

  @Test
  void settingsThatAreNoneAreRefused() {
    assertThatThrownBy(() -> Rig.SOFT_DPU.profile("bluefield9"))
        .hasMessage("softdpu_set_profile: DOCA_ERROR_NOT_FOUND (16): bluefield9");
    assertThat(Rig.SOFT_DPU.profile()).isEqualTo("full");
    assertThatThrownBy(() -> Rig.SOFT_DPU.threads(0)).hasMessageContaining("INVALID_VALUE");
    assertThatThrownBy(() -> Rig.SOFT_DPU.deflateLevel(13)).hasMessageContaining("INVALID_VALUE");
    assertThatThrownBy(() -> Rig.SOFT_DPU.advanceClock(1)).hasMessageContaining("BAD_STATE");
  }

  @Test
  void theContextsOfAKilledHostFail() {
    assertThat(Rig.SOFT_DPU.killHost(5)).as("without an engine").isFalse();
    assertThat(Rig.SOFT_DPU.enterHost(5)).isZero();
    try (Rig rig = new Rig()) {
      assertThat(Rig.SOFT_DPU.enterHost(0)).isEqualTo(5);
      DocaContext context = rig.compress(1, COMPRESS_DEFLATE);
      assertThat(Rig.SOFT_DPU.killHost(0)).isFalse();
      rig.turn();
      assertThat(context.state()).isEqualTo(ContextState.RUNNING);
      assertThat(Rig.SOFT_DPU.killHost(5)).isTrue();
      rig.until(() -> context.state() == ContextState.IDLE);
    }
  }

  @Test
  void theCensusCountsWhatIsAlive() {
    try (Rig rig = new Rig()) {
      rig.compress(1, COMPRESS_DEFLATE);
      rig.pool(3, 64);
      assertThat(Rig.SOFT_DPU.census())
          .containsEntry("devices", 1L)
          .containsEntry("engines", 1L)
          .containsEntry("contexts", 1L)
          .containsEntry("maps", 1L)
          .containsEntry("inventories", 1L)
          .containsEntry("buffers", 3L)
          .hasSize(11);
    }
    Rig.assertSoftDpuEmpty();
  }
}
