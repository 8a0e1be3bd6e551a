package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.testkit.HeapBuffers;
import java.util.Arrays;
import java.util.Objects;
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

  private static TaskModel.Work deflate() {
    Run run = Runs.of(new StillControl());
    TaskModel.Work work = new CompressModel().draw(run);
    while (work.batchKey() != TaskKind.COMPRESS_DEFLATE) {
      work = new CompressModel().draw(run);
    }
    return work;
  }
}
