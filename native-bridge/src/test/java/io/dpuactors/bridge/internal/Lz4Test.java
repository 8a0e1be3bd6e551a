package io.dpuactors.bridge.internal;

import static io.dpuactors.bridge.TaskKind.DECOMPRESS_LZ4_BLOCK;
import static io.dpuactors.bridge.TaskKind.DECOMPRESS_LZ4_STREAM;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.internal.Rig.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests LZ4 decompression: blocks written here byte by byte, and frames of the lz4 program. */
class Lz4Test {
  private static final int FRAME_HEADER_BYTES = 7;
  private static final int STEPS_BYTES = 200_000;
  private static final int BLOCK_CHECKSUMS = 1;
  private static final int INDEPENDENT = 2;

  private final Rig rig = new Rig();
  private final BufferPool pool = rig.pool(2, 256 * 1024);
  private final DocaContext context = rig.compress(4, DECOMPRESS_LZ4_BLOCK, DECOMPRESS_LZ4_STREAM);

  @AfterEach
  void end() {
    rig.close();
  }

  /** Returns a block of 3 literals "abc", a match of 15 bytes at offset 3, and 5 final literals. */
  private static byte[] block() {
    return new byte[] {0x3b, 'a', 'b', 'c', 3, 0, 0x50, 'e', 'n', 'd', '.', '\n'};
  }

  private static final String BLOCK_PLAIN = "abc" + "abcabcabcabcabc" + "end.\n";

  @Test
  void decompressesABlock() {
    Answer answer =
        run(DECOMPRESS_LZ4_BLOCK, block(), 0, BLOCK_PLAIN.getBytes(StandardCharsets.US_ASCII));
    assertThat(answer.checksum1()).isNotZero();
  }

  @Test
  void decompressesABlockOfOneByte() {
    // The specification of xxHash-32 publishes its value for "a" with seed 0.
    Answer answer = run(DECOMPRESS_LZ4_BLOCK, new byte[] {0x10, 'a'}, 0, new byte[] {'a'});
    assertThat(answer.checksum1()).isEqualTo(0x550d7456);
  }

  @Test
  void refusesADamagedBlock() {
    byte[] damaged = block();
    damaged[4] = 9; // offset 9, but only 3 bytes precede it
    assertFails(DECOMPRESS_LZ4_BLOCK, damaged, 0);
    assertFails(DECOMPRESS_LZ4_BLOCK, new byte[0], 0);
  }

  @Test
  void decompressesIndependentBlocksWithChecksums() throws IOException {
    byte[] blocks = blocks("independent-blocks-with-checksums");
    run(DECOMPRESS_LZ4_STREAM, blocks, BLOCK_CHECKSUMS | INDEPENDENT, Inputs.steps(STEPS_BYTES));
  }

  @Test
  void decompressesDependentBlocks() throws IOException {
    run(DECOMPRESS_LZ4_STREAM, blocks("dependent-blocks"), 0, Inputs.steps(STEPS_BYTES));
  }

  @Test
  void theFlagsOfAStreamReachTheDevice() throws IOException {
    assertFails(DECOMPRESS_LZ4_STREAM, blocks("independent-blocks-with-checksums"), INDEPENDENT);
    assertFails(DECOMPRESS_LZ4_STREAM, blocks("dependent-blocks"), BLOCK_CHECKSUMS);
    assertFails(DECOMPRESS_LZ4_STREAM, blocks("dependent-blocks"), INDEPENDENT);
  }

  @Test
  void aWrongBlockChecksumFails() throws IOException {
    byte[] blocks = blocks("independent-blocks-with-checksums");
    blocks[20] ^= 1;
    assertFails(DECOMPRESS_LZ4_STREAM, blocks, BLOCK_CHECKSUMS | INDEPENDENT);
  }

  private static byte[] blocks(String frame) throws IOException {
    try (InputStream file =
        Objects.requireNonNull(Lz4Test.class.getResourceAsStream("/lz4/" + frame + ".lz4"))) {
      byte[] bytes = file.readAllBytes();
      return Arrays.copyOfRange(bytes, FRAME_HEADER_BYTES, bytes.length);
    }
  }

  private Answer run(TaskKind kind, byte[] packed, long argument, byte[] plain) {
    Buffer src = Rig.lease(pool, packed);
    Buffer dst = Rig.lease(pool);
    Answer answer = rig.run(context, kind, src, dst, argument);
    assertThat(answer.code()).isEqualTo(DocaCode.SUCCESS);
    dst.length((int) answer.produced());
    assertThat(Rig.content(dst)).isEqualTo(plain);
    CRC32 crc = new CRC32();
    crc.update(plain);
    assertThat(Integer.toUnsignedLong(answer.checksum0())).isEqualTo(crc.getValue());
    src.release();
    dst.release();
    return answer;
  }

  private void assertFails(TaskKind kind, byte[] packed, long argument) {
    Buffer src = Rig.lease(pool, packed);
    Buffer dst = Rig.lease(pool);
    Answer answer = rig.run(context, kind, src, dst, argument);
    assertThat(answer.type()).isEqualTo(RecordType.TASK_FAILED);
    assertThat(answer.code()).isEqualTo(DocaCode.IO_FAILED);
    src.release();
    dst.release();
  }
}
