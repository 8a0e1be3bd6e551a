package io.dpuactors.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.encrypted.EncryptedHeader;
import io.dpuactors.encrypted.EncryptedHeader.Layout;
import io.dpuactors.file.FileFailure.Kind;
import io.dpuactors.testing.FreshSoftDpu;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that each change of an encrypted file is detected. */
class DamagedEncryptedFilesTest extends EncryptedTestBase {
  private static final int STORED = BLOCK + JdkCipher.TAG;

  /** A file of four blocks, the last of 7 bytes. */
  private static byte[] stored(byte[] key) throws GeneralSecurityException {
    byte[] header = new byte[JdkCipher.HEADER];
    byte[] fixed = EncryptedHeader.create(Layout.EQUAL, BLOCK).bytes();
    System.arraycopy(fixed, 0, header, 0, header.length);
    return JdkCipher.encrypt(key, header, false, blocks(bytes(9, 3 * BLOCK + 7)));
  }

  private static int start(int block) {
    return JdkCipher.HEADER + block * STORED;
  }

  private static Arguments change(String name, String message, UnaryOperator<byte[]> change) {
    return Arguments.of(name, message, change);
  }

  static Stream<Arguments> changes() {
    return Stream.of(
        change("salt", "wrong key, or damaged: block 0 is not authentic", flip(12)),
        change("end of salt", "wrong key, or damaged: block 0 is not authentic", flip(43)),
        change("layout", "damaged: block 0 has the impossible size", flip(5)),
        change("block size", "wrong key, or damaged: block 0 is not authentic", flip(11)),
        change("first byte", "wrong key, or damaged: block 0 is not authentic", flip(44)),
        change("byte of block 1", "damaged: block 1 is not authentic", flip(start(1) + 99)),
        change("tag of block 1", "damaged: block 1 is not authentic", flip(start(2) - 1)),
        change("last byte", "damaged: block 3 is not authentic", flip(-1)),
        change(
            "swapped blocks",
            "damaged: block 1 is not authentic",
            f ->
                JdkCipher.concat(
                    List.of(
                        slice(f, 0, start(1)),
                        slice(f, start(2), start(3)),
                        slice(f, start(1), start(2)),
                        slice(f, start(3), f.length)))),
        change(
            "removed block",
            "damaged: block 1 is not authentic",
            f -> JdkCipher.concat(List.of(slice(f, 0, start(1)), slice(f, start(2), f.length)))),
        change(
            "repeated block",
            "damaged: block 2 is not authentic",
            f -> JdkCipher.concat(List.of(slice(f, 0, start(2)), slice(f, start(1), f.length)))),
        change(
            "removed last block",
            "truncated: the file ends after block 2, which is not the last",
            f -> slice(f, 0, start(3))),
        change(
            "only the first block",
            "truncated: the file ends after block 0, which is not the last",
            f -> slice(f, 0, start(1))),
        change(
            "cut in a block", "damaged: block 2 is not authentic", f -> slice(f, 0, start(3) - 1)),
        change(
            "cut in a tag",
            "truncated: the file ends after %d bytes, inside block 3".formatted(start(3) + 15),
            f -> slice(f, 0, start(3) + 15)),
        change(
            "cut after the header",
            "truncated: the file ends after 44 bytes",
            f -> slice(f, 0, 44)),
        change("cut in the header", "truncated: its header has 44 bytes", f -> slice(f, 0, 43)),
        change("nothing left", "is not encrypted", f -> new byte[0]),
        change(
            "appended byte",
            "damaged: block 3 is not authentic",
            f -> Arrays.copyOf(f, f.length + 1)),
        change(
            "appended block",
            "damaged: block 3 is not authentic",
            f -> JdkCipher.concat(List.of(f, slice(f, start(3), f.length)))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void eachChangeIsDetected(String name, String message, UnaryOperator<byte[]> change)
      throws IOException, GeneralSecurityException {
    byte[] key = bytes(1, 32);
    FileFailure failure = failure(decrypt(file("a", change.apply(stored(key))), key));
    assertThat(failure.kind()).as(name).isEqualTo(Kind.INPUT);
    assertThat(failure.message()).startsWith(message);
  }

  @Test
  void blocksBehindTheLastAreDetected() throws IOException, GeneralSecurityException {
    byte[] key = bytes(1, 32);
    byte[] header = EncryptedHeader.create(Layout.EQUAL, BLOCK).bytes();
    byte[] stored = JdkCipher.encrypt(key, header, false, blocks(bytes(1, 2 * BLOCK)));
    byte[] longer = Arrays.copyOf(stored, stored.length + 100);
    assertThat(failure(decrypt(file("a", longer), key)).message())
        .isEqualTo("damaged: bytes follow block 1, which is the last");
  }

  @Test
  void blocksOfAnotherFileAreDetected() throws IOException, GeneralSecurityException {
    byte[] key = bytes(1, 32);
    byte[] one = stored(key);
    byte[] other = stored(key);
    System.arraycopy(other, start(1), one, start(1), STORED);
    assertThat(failure(decrypt(file("a", one), key)).message())
        .isEqualTo("damaged: block 1 is not authentic");
  }

  @ParameterizedTest
  @CsvSource({"2, 32", "1, 16"})
  void anotherKeyIsDetected(int seed, int keyBytes) throws IOException, GeneralSecurityException {
    Path file = file("a", stored(bytes(1, 32)));
    FileFailure failure = failure(decrypt(file, bytes(seed, keyBytes)));
    assertThat(failure.kind()).isEqualTo(Kind.INPUT);
    assertThat(failure.message()).isEqualTo("wrong key, or damaged: block 0 is not authentic");
  }

  /** The device reports the same error, but the block is authentic. */
  @ParameterizedTest
  @CsvSource({"aes-gcm-decrypt, true", "aes-gcm-encrypt, false"})
  void aFailureOfTheDeviceIsNoDamage(String task, boolean decrypts)
      throws IOException, GeneralSecurityException {
    FreshSoftDpu.DEVICE.faults(task + ":fail=IO_FAILED:nth=3");
    byte[] key = bytes(1, 32);
    FileFailure failure =
        failure(
            decrypts
                ? decrypt(file("a", stored(key)), key)
                : encrypt(file("a", bytes(1, 4 * BLOCK)), key));
    assertThat(failure.kind()).isEqualTo(Kind.TASK);
    assertThat(failure.toString()).contains("a: block ", "IO_FAILED");
  }
}
