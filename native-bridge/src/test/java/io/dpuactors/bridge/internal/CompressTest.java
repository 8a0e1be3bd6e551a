package io.dpuactors.bridge.internal;

import static io.dpuactors.bridge.TaskKind.COMPRESS_DEFLATE;
import static io.dpuactors.bridge.TaskKind.DECOMPRESS_DEFLATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.internal.Rig.Answer;
import java.util.stream.Stream;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.Checksum;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests deflate in both directions through the whole boundary: rings, bridge, software DPU. */
class CompressTest {
  private static final int BLOCK = 1 << 20;
  private static final int ROOM = BLOCK + BLOCK / 8;

  private final Rig rig = new Rig();
  private final BufferPool pool = rig.pool(3, ROOM);
  private final DocaContext context = rig.compress(4, COMPRESS_DEFLATE, DECOMPRESS_DEFLATE);

  @AfterEach
  void end() {
    rig.close();
  }

  static Stream<Arguments> inputs() {
    return Stream.of(
        Arguments.of("1 byte", Inputs.text(1)),
        Arguments.of("2 bytes", Inputs.random(2)),
        Arguments.of("incompressible", Inputs.random(300_001)),
        Arguments.of("zeros", Inputs.zeros(BLOCK)),
        Arguments.of("text", Inputs.text(200_000)),
        Arguments.of("a block less one", Inputs.text(BLOCK - 1)),
        Arguments.of("a block", Inputs.random(BLOCK)),
        Arguments.of("a block and one", Inputs.text(BLOCK + 1)),
        Arguments.of("64 KiB less one", Inputs.random(65_535)),
        Arguments.of("64 KiB", Inputs.zeros(65_536)),
        Arguments.of("64 KiB and one", Inputs.text(65_537)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("inputs")
  void deflatedDataInflatesToTheSource(String name, byte[] plain) throws Exception {
    Buffer src = Rig.lease(pool, plain);
    Buffer packed = Rig.lease(pool);
    Buffer again = Rig.lease(pool);

    Answer deflated = rig.run(context, COMPRESS_DEFLATE, src, packed, 0);
    assertThat(deflated.type()).isEqualTo(RecordType.TASK_DONE);
    packed.length((int) deflated.produced());
    assertThat(Inputs.inflate(Rig.content(packed), plain.length)).isEqualTo(plain);
    assertChecksums(deflated, plain);

    Answer inflated = rig.run(context, DECOMPRESS_DEFLATE, packed, again, 0);
    assertThat(inflated.type()).isEqualTo(RecordType.TASK_DONE);
    again.length((int) inflated.produced());
    assertThat(Rig.content(again)).isEqualTo(plain);
    assertChecksums(inflated, plain);

    src.release();
    packed.release();
    again.release();
  }

  @Test
  void inflatesWhatAnotherLibraryDeflated() {
    byte[] plain = Inputs.text(123_456);
    Buffer src = Rig.lease(pool, Inputs.deflate(plain));
    Buffer dst = Rig.lease(pool);
    Answer answer = rig.run(context, DECOMPRESS_DEFLATE, src, dst, 0);
    assertThat(answer.code()).isEqualTo(DocaCode.SUCCESS);
    dst.length((int) answer.produced());
    assertThat(Rig.content(dst)).isEqualTo(plain);
    assertChecksums(answer, plain);
    src.release();
    dst.release();
  }

  @Test
  void anEmptySourceFails() {
    assertFails(COMPRESS_DEFLATE, new byte[0]);
    assertFails(DECOMPRESS_DEFLATE, new byte[0]);
  }

  @Test
  void damagedInputFails() {
    byte[] packed = Inputs.deflate(Inputs.text(5000));
    packed[0] = (byte) 0xff;
    assertFails(DECOMPRESS_DEFLATE, packed);
  }

  @Test
  void truncatedInputFails() {
    byte[] packed = Inputs.deflate(Inputs.text(5000));
    assertFails(DECOMPRESS_DEFLATE, java.util.Arrays.copyOf(packed, packed.length / 2));
  }

  @Test
  void tooLittleRoomFailsAndWritesNothingBeyondTheWindow() {
    BufferPool small = rig.pool(2, 1000);
    Buffer src = Rig.lease(pool, Inputs.random(4000));
    Buffer dst = Rig.lease(small);
    Buffer neighbour = Rig.lease(small);
    assertThat(neighbour.address()).isGreaterThanOrEqualTo(dst.address() + 1000);
    Answer answer = rig.run(context, COMPRESS_DEFLATE, src, dst, 0);
    assertThat(answer.type()).isEqualTo(RecordType.TASK_FAILED);
    assertThat(answer.code()).isEqualTo(DocaCode.IO_FAILED);
    neighbour.length(1000);
    assertThat(Rig.content(neighbour)).containsOnly(0);
    src.release();
    dst.release();
    neighbour.release();
  }

  @Test
  void aBufferServesAgainAfterAFailure() throws Exception {
    assertFails(DECOMPRESS_DEFLATE, Inputs.random(100));
    deflatedDataInflatesToTheSource("text", Inputs.text(1000));
  }

  @Test
  void aFaultOfTheDeviceIsReportedWithItsCode() {
    Rig.SOFT_DPU.faults("compress-deflate:fail=DRIVER:nth=1");
    Buffer src = Rig.lease(pool, Inputs.text(100));
    Buffer dst = Rig.lease(pool);
    Answer answer = rig.run(context, COMPRESS_DEFLATE, src, dst, 0);
    assertThat(answer.type()).isEqualTo(RecordType.TASK_FAILED);
    assertThat(answer.code()).isEqualTo(DocaCode.DRIVER);
    assertThat(Rig.SOFT_DPU.faultCounters()).containsEntry("failed", 1L);
    assertThatThrownBy(() -> Rig.SOFT_DPU.faults("nonsense"))
        .isInstanceOf(DocaException.class)
        .hasMessageContaining("softdpu_faults_set: DOCA_ERROR_INVALID_VALUE (6): nonsense");
    src.release();
    dst.release();
  }

  @Test
  void aKindThatWasNotConfiguredIsRefused() {
    Buffer src = Rig.lease(pool, Inputs.text(100));
    Buffer dst = Rig.lease(pool);
    Answer answer = rig.run(context, TaskKind.DECOMPRESS_LZ4_BLOCK, src, dst, 0);
    assertThat(answer.type()).isEqualTo(RecordType.REFUSED);
    assertThat(answer.code()).isEqualTo(DocaCode.BAD_STATE);
    assertThat(answer.kind()).isEqualTo(TaskKind.DECOMPRESS_LZ4_BLOCK);
    src.release();
    dst.release();
  }

  private void assertFails(TaskKind kind, byte[] content) {
    Buffer src = Rig.lease(pool, content);
    Buffer dst = Rig.lease(pool);
    Answer answer = rig.run(context, kind, src, dst, 0);
    assertThat(answer.type()).isEqualTo(RecordType.TASK_FAILED);
    assertThat(answer.code()).isEqualTo(DocaCode.IO_FAILED);
    assertThat(answer.kind()).isEqualTo(kind);
    src.release();
    dst.release();
  }

  private static void assertChecksums(Answer answer, byte[] plain) {
    assertThat(Integer.toUnsignedLong(answer.checksum0())).isEqualTo(of(new CRC32(), plain));
    assertThat(Integer.toUnsignedLong(answer.checksum1())).isEqualTo(of(new Adler32(), plain));
  }

  private static long of(Checksum checksum, byte[] bytes) {
    checksum.update(bytes, 0, bytes.length);
    return checksum.getValue();
  }
}
