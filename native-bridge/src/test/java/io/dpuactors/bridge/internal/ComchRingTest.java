package io.dpuactors.bridge.internal;

import static io.dpuactors.bridge.TaskKind.COMCH_CLIENT_SEND;
import static io.dpuactors.bridge.TaskKind.COMCH_CONSUMER_RECV;
import static io.dpuactors.bridge.TaskKind.COMCH_SERVER_SEND;
import static io.dpuactors.bridge.TaskKind.DMA_MEMCPY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.jna.RingLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests entries and records of comch, byte by byte. */
class ComchRingTest {
  private static final int SUBMISSIONS = 4;
  private static final int COMPLETIONS = 8;

  private final Rig rig = new Rig(SUBMISSIONS, COMPLETIONS);
  private final BufferPool pool = rig.pool(2, 64);
  private final Buffer src = Rig.lease(pool, Inputs.text(10));
  private final Buffer dst = Rig.lease(pool);

  @AfterEach
  void end() {
    src.release();
    dst.release();
    rig.close();
  }

  @Test
  void aMessageIsWrittenAsAnEntry() {
    ByteBuffer memory = memory();
    SubmissionRing ring = new SubmissionRing(rig.engine, memory, SUBMISSIONS);
    assertThat(ring.offerMessage(9, 7, COMCH_CLIENT_SEND, 0x8001_0002, 0x7f00_0000_1000L, 4080))
        .isTrue();
    assertEntry(memory, 0, 9, 7, 6, 0);
    assertBuffers(memory, 0, 0, 0x7f00_0000_1000L, 4080, 0, 0, 0x8001_0002L);
  }

  @Test
  void aReceiveIsWrittenAsAnEntry() {
    ByteBuffer memory = memory();
    SubmissionRing ring = new SubmissionRing(rig.engine, memory, SUBMISSIONS);
    assertThat(ring.offer(9, 7, COMCH_CONSUMER_RECV, null, dst, 0)).isTrue();
    assertEntry(memory, 0, 9, 7, 7, 0);
    assertBuffers(memory, 0, 0, 0, 0, dst.pointer(), dst.address(), 0);
  }

  @Test
  void aSendOfAProducerIsWrittenAsAnEntry() {
    ByteBuffer memory = memory();
    SubmissionRing ring = new SubmissionRing(rig.engine, memory, SUBMISSIONS);
    assertThat(ring.offerProduce(9, 7, src, 0x7f00_0000_1000L, 32, -2)).isTrue();
    assertEntry(memory, 0, 9, 7, 8, 32);
    assertBuffers(memory, 0, src.pointer(), src.address(), 10, 0, 0x7f00_0000_1000L, 0xffff_fffeL);
    assertThat(ring.offerProduce(10, 7, null, 0x7f00_0000_2000L, 1, 3)).isTrue();
    assertEntry(memory, 1, 10, 7, 8, 1);
    assertBuffers(memory, 1, 0, 0, 0, 0, 0x7f00_0000_2000L, 3);
    assertThat(ring.offerProduce(11, 7, src, 0, 0, 3)).isTrue();
    assertBuffers(memory, 2, src.pointer(), src.address(), 10, 0, 0, 3);
  }

  /** A new entry overwrites every byte of the old one. */
  @Test
  void nothingOfAnOlderEntryIsLeft() {
    ByteBuffer memory = memory();
    for (int at = 0; at < RingLayout.ENTRY_BYTES; at++) {
      memory.put(RingLayout.HEADER_BYTES + at, (byte) 0xff);
    }
    SubmissionRing ring = new SubmissionRing(rig.engine, memory, SUBMISSIONS);
    assertThat(ring.offer(0, 0, COMCH_CONSUMER_RECV, null, dst, 0)).isTrue();
    assertEntry(memory, 0, 0, 0, 7, 0);
    assertBuffers(memory, 0, 0, 0, 0, dst.pointer(), dst.address(), 0);
  }

  @Test
  void requestsThatCannotBeSentAreNotOffered() {
    SubmissionRing ring = rig.engine.submissions();
    assertThatThrownBy(() -> ring.offerMessage(1, 1, DMA_MEMCPY, 1, 4096, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("offerMessage: DMA_MEMCPY sends no messages");
    assertThatThrownBy(() -> ring.offerMessage(1, 1, COMCH_SERVER_SEND, 1, 0, 1))
        .hasMessage("offerMessage: 1 bytes at address 0");
    assertThatThrownBy(() -> ring.offerMessage(1, 1, COMCH_SERVER_SEND, 1, 4096, -1))
        .hasMessage("offerMessage: -1 bytes at address 4096");
    assertThatThrownBy(() -> ring.offerProduce(1, 1, src, 4096, 33, 1))
        .hasMessage("offerProduce: 33 bytes of immediate data at address 4096");
    assertThatThrownBy(() -> ring.offerProduce(1, 1, src, 0, 1, 1))
        .hasMessage("offerProduce: 1 bytes of immediate data at address 0");
    Buffer released = Rig.lease(rig.pool(1, 64));
    released.release();
    assertThatThrownBy(() -> ring.offer(1, 1, COMCH_CONSUMER_RECV, null, released, 0))
        .hasMessage("offer: buffer 0 is not leased");
    assertThatThrownBy(() -> ring.offerProduce(1, 1, released, 0, 0, 1))
        .hasMessage("offerProduce: buffer 0 is not leased");
    assertThat(ring.free()).isEqualTo(SUBMISSIONS);
  }

  @Test
  void requestsWithoutRoomAreNotOffered() {
    ByteBuffer memory = memory();
    memory.putInt(RingLayout.SUBMISSION_TAIL, SUBMISSIONS);
    SubmissionRing ring = new SubmissionRing(rig.engine, memory, SUBMISSIONS);
    assertThat(ring.offerMessage(1, 1, COMCH_SERVER_SEND, 1, 4096, 1)).isFalse();
    assertThat(ring.offer(1, 1, COMCH_CONSUMER_RECV, null, dst, 0)).isFalse();
    assertThat(ring.offerProduce(1, 1, src, 0, 0, 1)).isFalse();
  }

  @Test
  void everyFieldOfAReceiveIsRead() {
    ByteBuffer memory = memory();
    int base = RingLayout.HEADER_BYTES;
    memory.putInt(RingLayout.COMPLETION_TAIL, 1);
    memory.put(base + 12, (byte) 1);
    memory.put(base + 13, (byte) 32);
    memory.putShort(base + 14, (short) 7);
    memory.putInt(base + 20, 0x8000_0001);
    memory.putLong(base + 24, 123);
    for (int i = 0; i < 32; i++) {
      memory.put(base + 32 + i, (byte) (200 + i));
    }
    CompletionRing ring = new CompletionRing(rig.engine, memory, base, COMPLETIONS);
    int drained =
        ring.drain(
            record -> {
              assertThat(record.type()).isEqualTo(RecordType.TASK_DONE);
              assertThat(record.kind()).isEqualTo(COMCH_CONSUMER_RECV);
              assertThat(record.producer()).isEqualTo(0x8000_0001);
              assertThat(record.produced()).isEqualTo(123);
              assertThat(record.immediateLength()).isEqualTo(32);
              byte[] immediate = record.immediate();
              assertThat(immediate).hasSize(32).startsWith((byte) 200).endsWith((byte) 231);
              assertThatThrownBy(record::message)
                  .isInstanceOf(IllegalStateException.class)
                  .hasMessage("message: the record is TASK_DONE");
            },
            1);
    assertThat(drained).isEqualTo(1);
    assertThat(memory.getInt(RingLayout.MESSAGE_HEAD)).isZero();
  }

  private static void assertEntry(
      ByteBuffer memory, int index, long userData, int context, int kind, int flags) {
    int at = RingLayout.HEADER_BYTES + index * RingLayout.ENTRY_BYTES;
    assertThat(memory.getLong(at)).isEqualTo(userData);
    assertThat(memory.getInt(at + 8)).isEqualTo(context);
    assertThat(memory.getShort(at + 12)).isEqualTo((short) kind);
    assertThat(memory.getShort(at + 14)).isEqualTo((short) flags);
  }

  private static void assertBuffers(ByteBuffer memory, int index, long... words) {
    int at = RingLayout.HEADER_BYTES + index * RingLayout.ENTRY_BYTES + 16;
    long[] written = new long[words.length];
    for (int i = 0; i < words.length; i++) {
      written[i] = memory.getLong(at + i * Long.BYTES);
    }
    assertThat(written).isEqualTo(words);
  }

  private static ByteBuffer memory() {
    return ByteBuffer.allocateDirect(RingLayout.HEADER_BYTES + COMPLETIONS * 64)
        .order(ByteOrder.nativeOrder());
  }
}
