package io.dpuactors.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.encrypted.CipherKey;
import io.dpuactors.encrypted.EncryptedHeader;
import io.dpuactors.encrypted.EncryptedHeader.Layout;
import io.dpuactors.file.FileFailure.Kind;
import io.dpuactors.testing.FreshSoftDpu;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests compression with encryption. */
class CompressedEncryptedFilesTest extends EncryptedTestBase {
  private FileJob.Compress seal(Path file, byte[] key, boolean verify) {
    return new FileJob.Compress(
        file,
        folder.resolve(file.getFileName() + ".gz.dpe"),
        BLOCK,
        verify,
        Optional.of(CipherKey.of(key)),
        false);
  }

  private FileJob.Decompress unseal(Path file, byte[] key) {
    return new FileJob.Decompress(
        file,
        folder.resolve(file.getFileName() + ".out"),
        Long.MAX_VALUE,
        Optional.of(CipherKey.of(key)),
        false);
  }

  /** Compressible text, noise, and both: the sizes of the members differ. */
  private static byte[] mixed(int size) {
    byte[] content = bytes(size, size);
    for (int i = 0; i < size; i++) {
      content[i] = i / BLOCK % 2 == 0 ? (byte) 'e' : content[i];
    }
    return content;
  }

  /** The key opens a gzip file that the JDK reads; the content is the same on each way back. */
  @ParameterizedTest
  @CsvSource({"true", "false"})
  void compressedFilesRoundTrip(boolean verify) throws IOException, GeneralSecurityException {
    byte[] key = bytes(1, 32);
    List<FileJob> there = new ArrayList<>();
    List<FileJob> back = new ArrayList<>();
    List<FileJob> opened = new ArrayList<>();
    for (int size : SIZES) {
      FileJob job = seal(file("f" + size, mixed(size)), key, verify);
      there.add(job);
      back.add(unseal(job.output(), key));
      opened.add(
          new FileJob.Decrypt(
              job.output(), folder.resolve("f" + size + ".gz"), CipherKey.of(key), false));
    }
    assertThat(run(there.toArray(FileJob[]::new))).hasOnlyElementsOfType(FileEvent.Done.class);
    assertThat(run(back.toArray(FileJob[]::new))).hasOnlyElementsOfType(FileEvent.Done.class);
    assertThat(run(opened.toArray(FileJob[]::new))).hasOnlyElementsOfType(FileEvent.Done.class);
    for (int size : SIZES) {
      assertThat(folder.resolve("f" + size + ".gz.dpe.out")).hasBinaryContent(mixed(size));
      byte[] gzip =
          JdkCipher.decrypt(key, Files.readAllBytes(folder.resolve("f" + size + ".gz.dpe")));
      assertThat(folder.resolve("f" + size + ".gz")).hasBinaryContent(gzip);
      try (InputStream content = new GZIPInputStream(new ByteArrayInputStream(gzip))) {
        assertThat(content.readAllBytes()).isEqualTo(mixed(size));
      }
    }
  }

  private static Arguments sealed(String name, String message, UnaryOperator<byte[]> change) {
    return Arguments.of(name, message, change);
  }

  /** Returns the size of the first block with its size and its tag. */
  private static int firstBlock(byte[] file) {
    return Integer.BYTES + ByteBuffer.wrap(file).getInt(JdkCipher.HEADER) + JdkCipher.TAG;
  }

  static Stream<Arguments> sealedChanges() {
    return Stream.of(
        sealed("layout", "is encrypted, but not compressed: use dpu decrypt", flip(5)),
        sealed("high byte of a size", "damaged: block 0 has the impossible size", flip(44)),
        sealed("low byte of a size", "wrong key, or damaged: block 0 is not authentic", flip(47)),
        sealed("cipher text", "wrong key, or damaged: block 0 is not authentic", flip(60)),
        sealed("last byte", "damaged: block 2 is not authentic", flip(-1)),
        sealed(
            "removed first block",
            "wrong key, or damaged: block 0 is not authentic",
            f ->
                JdkCipher.concat(
                    List.of(
                        slice(f, 0, JdkCipher.HEADER),
                        slice(f, JdkCipher.HEADER + firstBlock(f), f.length)))),
        sealed(
            "only the first block",
            "truncated: the file ends after block 0, which is not the last",
            f -> slice(f, 0, JdkCipher.HEADER + firstBlock(f))),
        sealed("cut", "truncated: the file ends after ", f -> slice(f, 0, f.length - 1)),
        sealed(
            "appended byte",
            "damaged: bytes follow block 2, which is the last",
            f -> Arrays.copyOf(f, f.length + 1)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("sealedChanges")
  void eachChangeOfACompressedFileIsDetected(
      String name, String message, UnaryOperator<byte[]> change) throws IOException {
    byte[] key = bytes(1, 32);
    FileJob job = seal(file("a", mixed(3 * BLOCK)), key, false);
    run(job);
    FileFailure failure =
        failure(unseal(file("b", change.apply(Files.readAllBytes(job.output()))), key));
    assertThat(failure.kind()).as(name).isEqualTo(Kind.INPUT);
    assertThat(failure.message()).startsWith(message);
  }

  /** The writer had the key: the blocks are authentic, but their content is no gzip member. */
  @ParameterizedTest
  @CsvSource({"0", "27", "1000"})
  void anAuthenticBlockThatIsNoMemberIsRefused(int size)
      throws IOException, GeneralSecurityException {
    byte[] key = bytes(1, 32);
    byte[] header = EncryptedHeader.create(Layout.MEMBERS, BLOCK).bytes();
    Path file = file("a", JdkCipher.encrypt(key, header, true, List.of(bytes(1, size))));
    FileFailure failure = failure(unseal(file, key));
    assertThat(failure.kind()).isEqualTo(Kind.INPUT);
    assertThat(failure.message()).contains("gzip");
  }

  @ParameterizedTest
  @CsvSource({
    "compress-deflate:fail=IO_FAILED:nth=2, true",
    "decompress-deflate:fail=IO_FAILED:nth=2, true",
    "aes-gcm-encrypt:fail=IO_FAILED:nth=2, true",
    "aes-gcm-decrypt:fail=IO_FAILED:nth=2, false",
    "decompress-deflate:fail=IO_FAILED:nth=2, false"
  })
  void aFailureAtEachStepOfACompressedFileIsTheDevices(String fault, boolean seals)
      throws IOException {
    byte[] key = bytes(1, 32);
    FileJob job = seal(file("a", mixed(3 * BLOCK)), key, true);
    if (!seals) {
      run(job);
      job = unseal(job.output(), key);
    }
    FreshSoftDpu.DEVICE.faults(fault);
    FileFailure failure = failure(job);
    assertThat(failure.kind()).isIn(Kind.TASK, Kind.VERIFY);
    assertThat(failure.toString()).contains(": block 1: ", "IO_FAILED");
  }
}
