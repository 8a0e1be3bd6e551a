package io.dpuactors.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests encryption with a real engine on the software DPU, against the JDK's cryptography. */
@ExtendWith(FreshSoftDpu.class)
class EncryptedFilesTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int BLOCK = 64 << 10;
  private static final int STORED = BLOCK + JdkCipher.TAG;
  private static final int[] SIZES = {0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 9 * BLOCK + 7};

  @TempDir Path folder;

  private final ActorTestKit kit = ActorTestKit.create();

  @AfterEach
  void stop() {
    kit.shutdownTestKit();
  }

  private static byte[] bytes(int seed, int size) {
    byte[] bytes = new byte[size];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private Path file(String name, byte[] content) throws IOException {
    return Files.write(folder.resolve(name), content);
  }

  private FileJob.Encrypt encrypt(Path file, byte[] key) {
    return new FileJob.Encrypt(
        file, folder.resolve(file.getFileName() + ".dpe"), CipherKey.of(key), BLOCK, false);
  }

  private FileJob.Decrypt decrypt(Path file, byte[] key) {
    return new FileJob.Decrypt(
        file, folder.resolve(file.getFileName() + ".out"), CipherKey.of(key), false);
  }

  /** Runs jobs and returns their results. The engine must close everything. */
  private List<FileEvent> run(FileJob... jobs) {
    return run(3, jobs);
  }

  private List<FileEvent> run(int parallel, FileJob... jobs) {
    TestProbe<BatchEvent> probe = kit.createTestProbe();
    BatchSettings settings =
        new BatchSettings(Optional.empty(), 1, parallel, 8 << 20, Arrays.asList(jobs));
    ActorRef<FileBatch.Command> batch =
        kit.spawn(
            FileBatch.create(settings, PartialFiles.create(), probe.getRef()),
            DispatcherSelector.blocking());
    List<FileEvent> results = new ArrayList<>();
    while (true) {
      BatchEvent event = probe.receiveMessage(LIMIT);
      if (event instanceof BatchEvent.Ended ended) {
        probe.expectTerminated(batch);
        assertThat(ended.failure()).isEmpty();
        assertThat(ended.census()).isEqualTo("empty");
        return results;
      }
      if (event instanceof FileEvent file && !(event instanceof FileEvent.Progress)) {
        results.add(file);
      }
    }
  }

  /** Returns the failure of a job with one block in flight: the first block that fails. */
  private FileFailure failure(FileJob job) {
    List<FileEvent> results = run(1, job);
    assertThat(results).singleElement().isInstanceOf(FileEvent.Failed.class);
    assertThat(job.output()).doesNotExist();
    return ((FileEvent.Failed) results.get(0)).failure();
  }

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

  private static List<byte[]> blocks(byte[] content) {
    List<byte[]> blocks = new ArrayList<>();
    for (int at = 0; at == 0 || at < content.length; at += BLOCK) {
      blocks.add(Arrays.copyOfRange(content, at, Math.min(content.length, at + BLOCK)));
    }
    return blocks;
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

  private static byte[] slice(byte[] file, int from, int to) {
    return Arrays.copyOfRange(file, from, to);
  }

  private static Arguments change(String name, String message, UnaryOperator<byte[]> change) {
    return Arguments.of(name, message, change);
  }

  private static UnaryOperator<byte[]> flip(int offset) {
    return file -> {
      file[offset < 0 ? file.length + offset : offset] ^= 1;
      return file;
    };
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
        .doesNotContain("KK", "75");
  }

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

  @Test
  void aKeyNeedsOneEngine() {
    List<FileJob> jobs = List.of(encrypt(folder.resolve("a"), bytes(1, 32)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BatchSettings(Optional.empty(), 2, 1, 1, jobs))
        .withMessage("a key belongs to the contexts of one engine");
  }
}
