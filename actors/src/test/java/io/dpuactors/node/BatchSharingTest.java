package io.dpuactors.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.BatchReply.Ended;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.TaskReply;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/**
 * Tests that a batch uses its own ranges, also if other requests change its buffers between two
 * runs.
 */
class BatchSharingTest extends InlineCompress {
  private static final String TEXT = "some text that is longer than what becomes of a short one";

  private Buffer text(int length) {
    return engine.buffer(TEXT.substring(0, length).getBytes(StandardCharsets.US_ASCII));
  }

  private void run(TaskBatch batch) {
    node.load()
        .accept(new CompressProtocol.Batch(TaskKind.COMPRESS_DEFLATE, batch, 1, batches.getRef()));
    engine.settle();
    assertThat(batches.receiveMessage()).isEqualTo(new Ended(1, batch));
    assertThat(batch.results().failures()).isZero();
  }

  private void deflate(Buffer src, Buffer dst) {
    node.load().accept(new CompressProtocol.Deflate(src, dst, 1, replies.getRef()));
    engine.settle();
    assertThat(replies.receiveMessage()).isInstanceOf(TaskReply.Completed.class);
  }

  private static int crc(Buffer buffer, int length) {
    ByteBuffer content = buffer.bytes().duplicate().clear().limit(length);
    CRC32 crc = new CRC32();
    crc.update(content);
    return (int) crc.getValue();
  }

  private static void release(Buffer... buffers) {
    List.of(buffers).forEach(Buffer::release);
  }

  @Test
  void aSourceThatAnotherTaskHasWrittenIsReadUpToTheLengthOfTheBatch() {
    Buffer src = text(40);
    Buffer dst = engine.buffer();
    Buffer other = text(3);
    TaskBatch batch = TaskBatch.of(List.of(src), List.of(dst));
    run(batch);
    deflate(other, src);
    run(batch);
    assertThat(batch.results().crc32(0)).isEqualTo(crc(src, 40));
    batch.close();
    release(src, dst, other);
  }

  @Test
  void aSourceMayBeOfTwoBatchesWithALengthOfEach() {
    Buffer src = text(40);
    Buffer[] dst = {engine.buffer(), engine.buffer(), engine.buffer()};
    TaskBatch first = TaskBatch.of(List.of(src), List.of(dst[0]));
    TaskBatch second = TaskBatch.of(List.of(src), List.of(dst[1]));
    second.sourceLength(0, 10);
    for (int i = 0; i < 2; i++) {
      run(first);
      run(second);
      assertThat(first.results().crc32(0)).isEqualTo(crc(src, 40));
      assertThat(second.results().crc32(0)).isEqualTo(crc(src, 10));
    }
    first.close();
    TaskBatch third = TaskBatch.of(List.of(src), List.of(dst[2]));
    third.sourceLength(0, 20);
    for (int i = 0; i < 2; i++) {
      run(third);
      run(second);
      assertThat(third.results().crc32(0)).isEqualTo(crc(src, 20));
      assertThat(second.results().crc32(0)).isEqualTo(crc(src, 10));
    }
    second.close();
    third.close();
    release(src, dst[0], dst[1], dst[2]);
  }

  @Test
  void theLengthOfADestinationIsOfWhatHasWrittenItLast() {
    Buffer src = text(40);
    Buffer dst = engine.buffer();
    Buffer other = text(3);
    TaskBatch batch = TaskBatch.of(List.of(src), List.of(dst));
    assertThat(dst.length()).isZero();
    run(batch);
    int ofBatch = dst.length();
    assertThat(ofBatch).isPositive().isEqualTo(batch.results().produced(0));
    deflate(other, dst);
    assertThat(dst.length()).isPositive().isNotEqualTo(ofBatch);
    run(batch);
    assertThat(dst.length()).isEqualTo(ofBatch);
    batch.close();
    release(src, dst, other);
  }

  @Test
  void aDestinationKeepsItsLengthWhenTheBatchIsClosed() {
    Buffer src = text(40);
    Buffer dst = engine.buffer();
    TaskBatch batch = TaskBatch.of(List.of(src), List.of(dst));
    run(batch);
    batch.close();
    assertThat(dst.length()).isPositive().isEqualTo(batch.results().produced(0));
    dst.length(1);
    assertThat(dst.length()).isEqualTo(1);
    release(src, dst);
  }

  @Test
  void oneSourceMayServeAllTasks() {
    Buffer src = text(40);
    Buffer[] dst = {engine.buffer(), engine.buffer()};
    TaskBatch batch = TaskBatch.of(List.of(src, src), List.of(dst));
    batch.sourceLength(0, 10);
    for (int i = 0; i < 2; i++) {
      run(batch);
      assertThat(batch.results().crc32(0)).isEqualTo(crc(src, 10));
      assertThat(batch.results().crc32(1)).isEqualTo(crc(src, 40));
    }
    batch.close();
    release(src, dst[0], dst[1]);
  }
}
