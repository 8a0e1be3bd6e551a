package io.dpuactors.bridge.internal;

import static io.dpuactors.bridge.TaskKind.DMA_MEMCPY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Census;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.bridge.internal.Rig.Answer;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests copies through the whole boundary: rings, bridge, software DPU. */
class DmaTest {
  private static final int ROOM = 1 << 20;

  private final Rig rig = new Rig();
  private final BufferPool pool = rig.pool(3, ROOM);

  @AfterEach
  void end() {
    rig.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 63, 64, 65, 4095, 4096, 4097, 65_535, ROOM - 1, ROOM})
  void theCopyEqualsTheSource(int bytes) {
    DocaContext context = rig.dma(4);
    Buffer src = Rig.lease(pool, Inputs.random(bytes));
    Buffer dst = Rig.lease(pool);
    Buffer neighbour = Rig.lease(pool);

    Answer answer = rig.run(context, DMA_MEMCPY, src, dst, 0);

    assertThat(answer.type()).isEqualTo(RecordType.TASK_DONE);
    assertThat(answer.kind()).isEqualTo(DMA_MEMCPY);
    assertThat(answer.produced()).isEqualTo(bytes);
    assertThat(answer.checksum0()).isZero();
    assertThat(answer.checksum1()).isZero();
    dst.length(bytes);
    assertThat(Rig.content(dst)).isEqualTo(Rig.content(src));
    assertOnlyZeros(dst, bytes);
    assertOnlyZeros(neighbour, 0);
    src.release();
    dst.release();
    neighbour.release();
  }

  private static void assertOnlyZeros(Buffer buffer, int from) {
    for (int i = from; i < buffer.capacity(); i++) {
      if (buffer.bytes().get(i) != 0) {
        throw new AssertionError("byte " + i + " beyond the copy was written");
      }
    }
  }

  @Test
  void aContextIsNamedAndCounted() {
    DocaContext context = rig.dma(1);
    assertThat(context.name()).isEqualTo("dma on " + rig.device.pciAddress());
    assertThat(rig.engine.census().count(Census.Resource.CONTEXT)).isEqualTo(1);
  }

  @Test
  void aFailingTaskTakesTheContextDown() {
    Rig.SOFT_DPU.execution(SoftDpu.Execution.INLINE);
    DocaContext context = rig.dma(8);
    rig.turn();
    rig.states().clear();
    Rig.SOFT_DPU.faults("dma-memcpy:fail:nth=3");
    Buffer src = Rig.lease(pool, Inputs.text(100));
    Buffer dst = Rig.lease(pool);
    List<Long> tasks =
        LongStream.range(0, 8).mapToObj(i -> rig.offer(context, DMA_MEMCPY, src, dst, 0)).toList();

    rig.until(() -> context.state() == ContextState.IDLE && rig.turn() == 0);

    assertThat(rig.order()).containsExactlyInAnyOrderElementsOf(tasks);
    assertThat(rig.states())
        .extracting(Answer::next)
        .containsExactly(ContextState.STOPPING, ContextState.IDLE);
    src.release();
    dst.release();
  }

  @Test
  void anEmptySourceFailsAndTakesTheContextDown() {
    DocaContext context = rig.dma(1);
    Buffer src = Rig.lease(pool);
    Buffer dst = Rig.lease(pool);
    Answer answer = rig.run(context, DMA_MEMCPY, src, dst, 0);
    assertThat(answer.type()).isEqualTo(RecordType.TASK_FAILED);
    assertThat(answer.code()).isEqualTo(DocaCode.IO_FAILED);
    rig.until(() -> context.state() == ContextState.IDLE);
    src.release();
    dst.release();
  }

  @Test
  void moreTasksThanTheDeviceHasAreRefused() {
    DocaContext context = TaskFunctions.of(TaskLibrary.DMA).create(rig.engine, rig.device, 0);
    int limit = rig.device.capabilities(TaskLibrary.DMA).maxTasks();
    assertThatThrownBy(() -> context.configure(DMA_MEMCPY, limit + 1))
        .isInstanceOf(DocaException.class)
        .hasMessageContaining("DMA_MEMCPY of dma on ");
    context.destroy();
  }

  @Test
  void aDmaContextDoesNotCompress() {
    DocaContext context = rig.dma(1);
    Buffer src = Rig.lease(pool, Inputs.text(100));
    Buffer dst = Rig.lease(pool);
    Answer answer = rig.run(context, TaskKind.COMPRESS_DEFLATE, src, dst, 0);
    assertThat(answer.type()).isEqualTo(RecordType.REFUSED);
    src.release();
    dst.release();
  }
}
