package io.dpuactors.file;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Base of tests of compression and copies. */
abstract class FileBatchTestBase extends BatchTestBase {
  static final int BLOCK = 4096;

  static byte[] text(int bytes) {
    byte[] text = new byte[bytes];
    Random random = new Random(bytes);
    for (int i = 0; i < bytes; i++) {
      text[i] = (byte) ('a' + random.nextInt(5));
    }
    return text;
  }

  final FileJob.Compress compress(String name) {
    return new FileJob.Compress(
        folder.resolve(name), folder.resolve(name + ".gz"), BLOCK, false, false);
  }

  final FileJob.Decompress decompress(String name) {
    return new FileJob.Decompress(
        folder.resolve(name), folder.resolve(name + ".out"), Long.MAX_VALUE, false);
  }

  final FileJob.Copy copy(String name) {
    return new FileJob.Copy(
        folder.resolve(name), folder.resolve(name + ".copy"), BLOCK, true, false);
  }

  final List<BatchEvent> run(int engines, int parallel, FileJob... jobs) {
    return run(Optional.empty(), engines, parallel, jobs);
  }

  final List<BatchEvent> run(Optional<String> device, int engines, int parallel, FileJob... jobs) {
    return run(new BatchSettings(device, engines, parallel, 1 << 20, Arrays.asList(jobs)));
  }
}
