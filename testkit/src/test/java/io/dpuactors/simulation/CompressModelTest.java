package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.testkit.HeapBuffers;
import io.dpuactors.testkit.device.XxHash32;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;

/** Tests that the model of compression finds wrong results. */
class CompressModelTest {
  @Test
  void theOutputAndBothChecksumsMustBeRight() {
    TaskModel.Work work = deflate();
    byte[] text = work.input();
    byte[] output = new byte[2 * text.length + 64];
    Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
    deflater.setInput(text);
    deflater.finish();
    output = Arrays.copyOf(output, deflater.deflate(output));
    deflater.end();
    CRC32 crc = new CRC32();
    crc.update(text);
    Adler32 adler = new Adler32();
    adler.update(text);
    int crc32 = (int) crc.getValue();
    int adler32 = (int) adler.getValue();

    try (BufferPool pool = HeapBuffers.pool(2, 64)) {
      Buffer src = Objects.requireNonNull(pool.lease());
      Buffer dst = Objects.requireNonNull(pool.lease());
      assertThat(work.isRight(new Completed(0, src, dst, crc32, adler32), output)).isTrue();
      assertThat(work.isRight(new Completed(0, src, dst, crc32 + 1, adler32), output)).isFalse();
      assertThat(work.isRight(new Completed(0, src, dst, crc32, adler32 + 1), output)).isFalse();
      assertThat(work.isRight(new Completed(0, src, dst, crc32, adler32), text)).isFalse();
      src.release();
      dst.release();
    }
  }

  @Test
  void eachKindIsDrawnAndFitsIntoABuffer() {
    Run run = Runs.of("compress", new StillControl());
    Set<Object> kinds = new HashSet<>();
    for (int i = 0; i < 500; i++) {
      TaskModel.Work work = new CompressModel().draw(run);
      kinds.add(work.batchKey());
      assertThat(work.input().length).isBetween(1, TaskModel.MAX_INPUT);
    }
    assertThat(kinds).isEqualTo(TaskLibrary.COMPRESS.kinds());
  }

  @Test
  void noBatchHasAStreamOfLz4() {
    Run run = Runs.of("batches", new StillControl());
    Set<Object> kinds = new HashSet<>();
    for (int i = 0; i < 500; i++) {
      kinds.add(new CompressModel().draw(run).batchKey());
    }
    assertThat(kinds)
        .contains(TaskKind.DECOMPRESS_LZ4_BLOCK)
        .doesNotContain(TaskKind.DECOMPRESS_LZ4_STREAM);
  }

  /** The second checksum of LZ4 is no Adler-32. */
  @Test
  void theChecksumsOfLz4MustBeRight() {
    for (TaskKind kind : List.of(TaskKind.DECOMPRESS_LZ4_BLOCK, TaskKind.DECOMPRESS_LZ4_STREAM)) {
      TaskModel.Work work = work(kind);
      int header = kind == TaskKind.DECOMPRESS_LZ4_STREAM ? 4 : headerOfLiterals(work.input());
      byte[] text = Arrays.copyOfRange(work.input(), header, work.input().length);
      CRC32 crc = new CRC32();
      crc.update(text);
      int crc32 = (int) crc.getValue();
      int xxHash = XxHash32.of(text, 0, text.length);
      try (BufferPool pool = HeapBuffers.pool(2, 64)) {
        Buffer src = Objects.requireNonNull(pool.lease());
        Buffer dst = Objects.requireNonNull(pool.lease());
        assertThat(work.isRight(new Completed(0, src, dst, crc32, xxHash), text)).isTrue();
        assertThat(work.isRight(new Completed(0, src, dst, crc32, xxHash + 1), text)).isFalse();
        src.release();
        dst.release();
      }
    }
  }

  /** Returns the number of bytes before the literals. */
  private static int headerOfLiterals(byte[] block) {
    int header = 1;
    if ((block[0] & 0xff) == 0xf0) {
      while (block[header] == -1) {
        header++;
      }
      header++;
    }
    return header;
  }

  private static TaskModel.Work deflate() {
    return work(TaskKind.COMPRESS_DEFLATE);
  }

  private static TaskModel.Work work(TaskKind kind) {
    Run run = Runs.of(new StillControl());
    TaskModel.Work work = new CompressModel().draw(run);
    while (work.batchKey() != kind) {
      work = new CompressModel().draw(run);
    }
    return work;
  }
}
