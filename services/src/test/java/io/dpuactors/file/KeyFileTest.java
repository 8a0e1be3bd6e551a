package io.dpuactors.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dpuactors.encrypted.CipherKey;
import io.dpuactors.file.FileFailure.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests key files: size, permissions, and that no file is lost. */
class KeyFileTest {
  @TempDir Path folder;

  private Path file(int bytes, String permissions) throws IOException {
    Path file = Files.write(folder.resolve("key"), new byte[bytes]);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }

  private static byte[] bytes(CipherKey key) {
    ByteBuffer bytes = ByteBuffer.allocate(key.bits() / 8);
    key.writeTo(bytes);
    return bytes.array();
  }

  @ParameterizedTest
  @ValueSource(ints = {128, 256})
  void aKeyFileHasTheBytesOfItsKeyAndMode600(int bits) throws IOException {
    Path path = folder.resolve("key");
    CipherKey key = CipherKey.random(bits);
    assertThat(KeyFile.create(path, key, false, PartialFiles.create())).isEmpty();
    assertThat(path).hasBinaryContent(bytes(key));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
        .isEqualTo("rw-------");
    assertThat(bytes(KeyFile.read(path))).isEqualTo(bytes(key));
    try (Stream<Path> all = Files.list(folder)) {
      assertThat(all).containsExactly(path);
    }
  }

  @Test
  void anExistingFileIsReplacedOnlyOnRequest() throws IOException {
    Path path = file(16, "rw-r--r--");
    CipherKey key = CipherKey.random(256);
    assertThat(KeyFile.create(path, key, false, PartialFiles.create()))
        .get()
        .extracting(FileFailure::kind)
        .isEqualTo(Kind.EXISTS);
    assertThat(path).hasBinaryContent(new byte[16]);
    assertThat(KeyFile.create(path, key, true, PartialFiles.create())).isEmpty();
    assertThat(bytes(KeyFile.read(path))).isEqualTo(bytes(key));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"rw-r-----", "rw----r--", "rw--w----", "rw-----w-", "rwx--x---", "rwx-----x"})
  void aFileOfOthersIsRefused(String permissions) throws IOException {
    Path path = file(32, permissions);
    assertThatExceptionOfType(KeyFileException.class)
        .isThrownBy(() -> KeyFile.read(path))
        .withMessage(path + ": others than its owner have permissions (chmod 600 removes them)");
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "15, 15", "17, 17", "31, 31", "33, more than 32", "1000, more than 32"})
  void anotherSizeIsRefused(int bytes, String size) throws IOException {
    Path path = file(bytes, "r--------");
    assertThatExceptionOfType(KeyFileException.class)
        .isThrownBy(() -> KeyFile.read(path))
        .withMessage("%s: is no key file: it has %s bytes instead of 16 or 32", path, size);
  }

  @Test
  void aMissingFileIsRefused() {
    assertThatExceptionOfType(KeyFileException.class)
        .isThrownBy(() -> KeyFile.read(folder.resolve("none")))
        .withMessageEndingWith("none: cannot be read: no such file");
  }
}
