package io.dpuactors.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.encrypted.CipherKey;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;

/** Base of tests of encryption, against the JDK's cryptography. */
abstract class EncryptedTestBase extends BatchTestBase {
  static final int BLOCK = 64 << 10;
  static final int[] SIZES = {0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 9 * BLOCK + 7};

  static byte[] bytes(int seed, int size) {
    byte[] bytes = new byte[size];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  final FileJob.Encrypt encrypt(Path file, byte[] key) {
    return new FileJob.Encrypt(
        file, folder.resolve(file.getFileName() + ".dpe"), CipherKey.of(key), BLOCK, false);
  }

  final FileJob.Decrypt decrypt(Path file, byte[] key) {
    return new FileJob.Decrypt(
        file, folder.resolve(file.getFileName() + ".out"), CipherKey.of(key), false);
  }

  static List<byte[]> blocks(byte[] content) {
    List<byte[]> blocks = new ArrayList<>();
    for (int at = 0; at == 0 || at < content.length; at += BLOCK) {
      blocks.add(Arrays.copyOfRange(content, at, Math.min(content.length, at + BLOCK)));
    }
    return blocks;
  }

  static byte[] slice(byte[] file, int from, int to) {
    return Arrays.copyOfRange(file, from, to);
  }

  static UnaryOperator<byte[]> flip(int offset) {
    return file -> {
      file[offset < 0 ? file.length + offset : offset] ^= 1;
      return file;
    };
  }

  /** Runs jobs and returns their results. */
  final List<FileEvent> run(FileJob... jobs) {
    return run(3, jobs);
  }

  private List<FileEvent> run(int parallel, FileJob... jobs) {
    List<BatchEvent> events =
        run(new BatchSettings(Optional.empty(), 1, parallel, 8 << 20, Arrays.asList(jobs)));
    assertThat(ended(events).failure()).isEmpty();
    return ends(events);
  }

  /** Returns the failure of a job with one block in flight: the first block that fails. */
  final FileFailure failure(FileJob job) {
    List<FileEvent> results = run(1, job);
    assertThat(results).singleElement().isInstanceOf(FileEvent.Failed.class);
    assertThat(job.output()).doesNotExist();
    return ((FileEvent.Failed) results.get(0)).failure();
  }
}
