package io.dpuactors.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dpuactors.encrypted.EncryptedHeader;
import io.dpuactors.encrypted.EncryptedHeader.Layout;
import io.dpuactors.file.FileFailure.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests encryption and decryption of files. */
class EncryptedFilesTest extends EncryptedTestBase {
  @ParameterizedTest
  @CsvSource({"16", "32"})
  void eachSizeRoundTripsAndTheJdkDecryptsIt(int keyBytes)
      throws IOException, GeneralSecurityException {
    byte[] key = bytes(1, keyBytes);
    List<FileJob> there = new ArrayList<>();
    List<FileJob> back = new ArrayList<>();
    for (int size : SIZES) {
      FileJob.Encrypt job = encrypt(file("f" + size, bytes(size, size)), key);
      there.add(job);
      back.add(decrypt(job.output(), key));
    }
    assertThat(run(there.toArray(FileJob[]::new))).hasOnlyElementsOfType(FileEvent.Done.class);
    assertThat(run(back.toArray(FileJob[]::new))).hasOnlyElementsOfType(FileEvent.Done.class);
    for (int size : SIZES) {
      byte[] stored = Files.readAllBytes(folder.resolve("f" + size + ".dpe"));
      int blocks = Math.max(1, (size + BLOCK - 1) / BLOCK);
      assertThat(stored).hasSize(JdkCipher.HEADER + size + blocks * JdkCipher.TAG);
      assertThat(JdkCipher.decrypt(key, stored)).isEqualTo(bytes(size, size));
      assertThat(folder.resolve("f" + size + ".dpe.out")).hasBinaryContent(bytes(size, size));
    }
  }

  @ParameterizedTest
  @CsvSource({"16", "32"})
  void filesOfTheJdkAreDecrypted(int keyBytes) throws IOException, GeneralSecurityException {
    byte[] key = bytes(1, keyBytes);
    List<FileJob> jobs = new ArrayList<>();
    for (int size : SIZES) {
      byte[] header = EncryptedHeader.create(Layout.EQUAL, BLOCK).bytes();
      byte[] stored = JdkCipher.encrypt(key, header, false, blocks(bytes(size, size)));
      jobs.add(decrypt(file("j" + size, stored), key));
    }
    assertThat(run(jobs.toArray(FileJob[]::new))).hasOnlyElementsOfType(FileEvent.Done.class);
    for (int size : SIZES) {
      assertThat(folder.resolve("j" + size + ".out")).hasBinaryContent(bytes(size, size));
    }
  }

  /** The blocks have their sizes in front, which may be any. */
  @Test
  void blocksWithSizesAreDecrypted() throws IOException, GeneralSecurityException {
    byte[] key = bytes(1, 32);
    byte[] header = EncryptedHeader.create(Layout.MEMBERS, BLOCK).bytes();
    List<byte[]> blocks = List.of(bytes(1, 5), bytes(2, BLOCK), bytes(3, 0), bytes(4, BLOCK + 28));
    FileJob job = decrypt(file("a", JdkCipher.encrypt(key, header, true, blocks)), key);
    assertThat(run(job)).singleElement().isInstanceOf(FileEvent.Done.class);
    assertThat(job.output()).hasBinaryContent(JdkCipher.concat(blocks));
  }

  @Test
  void aFileThatIsNotEncryptedIsRefused() throws IOException {
    FileFailure failure = failure(decrypt(file("a", bytes(1, 1000)), bytes(1, 32)));
    assertThat(failure.kind()).isEqualTo(Kind.INPUT);
    assertThat(failure.toString())
        .endsWith("a: is not encrypted: it does not begin with the magic number of dpu encrypt");
  }

  @Test
  void twoEncryptionsOfOneFileDiffer() throws IOException {
    byte[] key = bytes(1, 32);
    FileJob.Encrypt one = encrypt(file("a", new byte[1000]), key);
    FileJob.Encrypt other = encrypt(file("b", new byte[1000]), key);
    run(one, other);
    byte[] first = Files.readAllBytes(one.output());
    byte[] second = Files.readAllBytes(other.output());
    assertThat(slice(first, 12, 44)).isNotEqualTo(slice(second, 12, 44));
    assertThat(slice(first, 44, first.length)).isNotEqualTo(slice(second, 44, second.length));
  }

  @Test
  void noTextContainsTheKey() {
    byte[] key = new byte[32];
    Arrays.fill(key, (byte) 'K');
    FileJob.Encrypt job = encrypt(folder.resolve("a"), key);
    assertThat(job.toString() + decrypt(folder.resolve("a"), key))
        .contains("key of 256 bits")
        .doesNotContain("KK", "75, 75");
  }

  @Test
  void aKeyNeedsOneEngine() {
    List<FileJob> jobs = List.of(encrypt(folder.resolve("a"), bytes(1, 32)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BatchSettings(Optional.empty(), 2, 1, 1, jobs))
        .withMessage("a key belongs to the contexts of one engine");
  }
}
