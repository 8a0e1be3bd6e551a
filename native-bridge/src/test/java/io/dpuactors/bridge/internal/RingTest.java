package io.dpuactors.bridge.internal;

import static io.dpuactors.bridge.TaskKind.COMPRESS_DEFLATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.bridge.jna.RingLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RingTest {
  private static final int SUBMISSIONS = 4;
  private static final int COMPLETIONS = 8;

  private final Rig rig = new Rig(SUBMISSIONS, COMPLETIONS);
  private final BufferPool pool = rig.pool(2, 64);
  private final Buffer src = Rig.lease(pool, Inputs.text(10));
  private final Buffer dst = Rig.lease(pool);

  @BeforeEach
  void withoutWork() {
    Rig.SOFT_DPU.nullDevice(true);
  }

  @AfterEach
  void end() {
    src.release();
    dst.release();
    rig.close();
  }

  @Test
  void aFullRingIsAValueNotAnError() {
    DocaContext context = rig.compress(SUBMISSIONS, COMPRESS_DEFLATE);
    SubmissionRing ring = rig.engine.submissions();
    for (int free = SUBMISSIONS; free > 0; free--) {
      assertThat(ring.free()).isEqualTo(free);
      rig.offer(context, COMPRESS_DEFLATE, src, dst, 0);
    }
    assertThat(ring.free()).isZero();
    assertThat(ring.offer(99, context.handle(), COMPRESS_DEFLATE, src, dst, 0)).isFalse();
    rig.until(() -> rig.order().size() == SUBMISSIONS);
    assertThat(ring.free()).isEqualTo(SUBMISSIONS);
    assertThat(rig.answer(99)).isNull();
  }

  @Test
  void manyLapsLoseNothing() {
    int tasks = 10_000;
    DocaContext context = rig.compress(SUBMISSIONS, COMPRESS_DEFLATE);
    int[] offered = new int[1];
    rig.until(
        () -> {
          int inFlight = offered[0] - rig.order().size();
          while (offered[0] < tasks && inFlight++ < SUBMISSIONS) {
            rig.offer(context, COMPRESS_DEFLATE, src, dst, 0);
            offered[0]++;
          }
          return rig.order().size() == tasks;
        });
    assertThat(rig.order()).doesNotHaveDuplicates().hasSize(tasks);
    assertThat(rig.engine.counter(Counter.SUBMITTED)).isEqualTo(tasks);
    assertThat(rig.engine.counter(Counter.COMPLETED)).isEqualTo(tasks);
    assertThat(rig.engine.counter(Counter.REFUSED)).isZero();
  }

  /** Positions are 32 bits wide and wrap; this memory starts two entries before the wrap. */
  @Test
  void entriesAreWrittenInPlaceWhenPositionsWrap() {
    ByteBuffer memory = memory();
    memory.putInt(RingLayout.SUBMISSION_TAIL, -2);
    memory.putInt(RingLayout.SUBMISSION_HEAD, -2);
    SubmissionRing ring = new SubmissionRing(rig.engine, memory, SUBMISSIONS);
    for (long task = 0; task < SUBMISSIONS; task++) {
      assertThat(ring.offer(task, 7, COMPRESS_DEFLATE, src, dst, 0)).isTrue();
    }
    assertThat(ring.offer(4, 7, COMPRESS_DEFLATE, src, dst, 0)).isFalse();
    assertThat(memory.getInt(RingLayout.SUBMISSION_TAIL)).isEqualTo(2);
    assertThat(List.of(entry(memory, 2), entry(memory, 3), entry(memory, 0), entry(memory, 1)))
        .containsExactly(0L, 1L, 2L, 3L);
    memory.putInt(RingLayout.SUBMISSION_HEAD, 1);
    assertThat(ring.free()).isEqualTo(3);
  }

  @Test
  void recordsAreReadInOrderWhenPositionsWrap() {
    ByteBuffer memory = memory();
    int base = RingLayout.HEADER_BYTES;
    memory.putInt(RingLayout.COMPLETION_HEAD, -3);
    memory.putInt(RingLayout.COMPLETION_TAIL, 2);
    for (int i = -3; i < 2; i++) {
      memory.putLong(base + (i & (COMPLETIONS - 1)) * RingLayout.RECORD_BYTES, i);
    }
    CompletionRing ring = new CompletionRing(rig.engine, memory, base, COMPLETIONS);
    assertThat(ring.size()).isEqualTo(5);
    List<Long> seen = new ArrayList<>();
    assertThat(ring.drain(record -> seen.add(record.userData()), 2)).isEqualTo(2);
    assertThat(memory.getInt(RingLayout.COMPLETION_HEAD)).isEqualTo(-1);
    assertThat(ring.drain(record -> seen.add(record.userData()), 100)).isEqualTo(3);
    assertThat(seen).containsExactly(-3L, -2L, -1L, 0L, 1L);
    assertThat(ring.drain(record -> seen.add(record.userData()), 100)).isZero();
  }

  @Test
  void everyFieldOfARecordIsRead() {
    ByteBuffer memory = memory();
    int base = RingLayout.HEADER_BYTES;
    memory.putInt(RingLayout.COMPLETION_TAIL, 1);
    memory.putLong(base, 0x0102_0304_0506_0708L);
    memory.putInt(base + 8, 9);
    memory.put(base + 12, (byte) 4);
    memory.putShort(base + 14, (short) 3);
    memory.putInt(base + 16, 17);
    memory.putInt(base + 20, 2 << 16 | 3);
    memory.putLong(base + 24, 1L << 40);
    memory.putInt(base + 32, 0xcafe_babe);
    memory.putInt(base + 36, 0xdead_beef);
    CompletionRing ring = new CompletionRing(rig.engine, memory, base, COMPLETIONS);
    int drained =
        ring.drain(
            record -> {
              assertThat(record.userData()).isEqualTo(0x0102_0304_0506_0708L);
              assertThat(record.context()).isEqualTo(9);
              assertThat(record.type()).isEqualTo(RecordType.CONTEXT_STATE);
              assertThat(record.kind()).isEqualTo(TaskKind.DECOMPRESS_LZ4_STREAM);
              assertThat(record.status()).isEqualTo(17);
              assertThat(record.previousState()).isEqualTo(ContextState.RUNNING);
              assertThat(record.nextState()).isEqualTo(ContextState.STOPPING);
              assertThat(record.produced()).isEqualTo(1L << 40);
              assertThat(record.checksum0()).isEqualTo(0xcafe_babe);
              assertThat(record.checksum1()).isEqualTo(0xdead_beef);
            },
            1);
    assertThat(drained).isEqualTo(1);
  }

  @Test
  void aRecordWhoseHandlerThrowsDoesNotComeAgain() {
    DocaContext context = rig.compress(SUBMISSIONS, COMPRESS_DEFLATE);
    rig.turn();
    for (int i = 0; i < 3; i++) {
      rig.offer(context, COMPRESS_DEFLATE, src, dst, 0);
    }
    rig.untilWaiting(3);
    CompletionRing ring = rig.engine.completions();
    assertThatThrownBy(
            () ->
                ring.drain(
                    record -> {
                      throw new UnsupportedOperationException("handler");
                    },
                    3))
        .hasMessage("handler");
    assertThat(ring.size()).isEqualTo(2);
    assertThat(ring.drain(record -> {}, 3)).isEqualTo(2);
  }

  @Test
  void aRecordIsValidDuringItsHandlerOnly() {
    CompletionRing ring = rig.engine.completions();
    rig.compress(1, COMPRESS_DEFLATE);
    rig.untilWaiting(1);
    assertThatThrownBy(ring::userData)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("only while its handler runs");
    List<Throwable> thrown = new ArrayList<>();
    ring.drain(
        record -> {
          try {
            ring.drain(inner -> {}, 1);
          } catch (IllegalStateException e) {
            thrown.add(e);
          }
        },
        1);
    assertThat(thrown).singleElement().asString().contains("called by the handler");
    assertThatThrownBy(ring::type).isInstanceOf(IllegalStateException.class);
  }

  /** The drain behind the handler reads and writes the rings, which a closed engine has freed. */
  @Test
  void aHandlerCannotCloseTheEngine() {
    ProgressEngine engine = ProgressEngine.create(Rig.LIBRARY, SUBMISSIONS, COMPLETIONS);
    Device device = Device.openFirst(engine, any -> true, "anything");
    DocaContext context = TaskFunctions.of(TaskLibrary.DMA).create(engine, device, 1);
    context.configure(TaskKind.DMA_MEMCPY, 1);
    context.start();
    context.stop();
    List<DocaCode> codes = new ArrayList<>();
    while (codes.isEmpty()) {
      engine.enter(1);
      engine.completions().drain(record -> codes.add(closeAll(context, device, engine)), 1);
    }
    assertThat(codes).containsOnly(DocaCode.BAD_STATE);
    engine.completions().drain(record -> {}, COMPLETIONS);
    engine.close();
  }

  private static DocaCode closeAll(DocaContext context, Device device, ProgressEngine engine) {
    context.destroy();
    device.close();
    try {
      engine.close();
      return DocaCode.SUCCESS;
    } catch (DocaException e) {
      return e.error().code();
    }
  }

  @Test
  void aReleasedBufferIsNotOffered() {
    DocaContext context = rig.compress(1, COMPRESS_DEFLATE);
    BufferPool other = rig.pool(1, 64);
    Buffer released = Rig.lease(other);
    released.release();
    SubmissionRing ring = rig.engine.submissions();
    assertThatThrownBy(() -> ring.offer(1, context.handle(), COMPRESS_DEFLATE, released, dst, 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("offer: buffer 0 is not leased");
    assertThatThrownBy(() -> ring.offer(1, context.handle(), COMPRESS_DEFLATE, src, released, 0))
        .isInstanceOf(IllegalStateException.class);
    assertThat(ring.free()).isEqualTo(SUBMISSIONS);
  }

  private static ByteBuffer memory() {
    return ByteBuffer.allocateDirect(RingLayout.HEADER_BYTES + COMPLETIONS * 64)
        .order(ByteOrder.nativeOrder());
  }

  private static long entry(ByteBuffer memory, int index) {
    return memory.getLong(RingLayout.HEADER_BYTES + index * RingLayout.ENTRY_BYTES);
  }
}
