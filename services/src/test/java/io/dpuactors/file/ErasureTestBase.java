package io.dpuactors.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.erasure.PartReport;
import io.dpuactors.erasure.PartSet;
import io.dpuactors.erasure.Stripes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Base of tests of parts of files. */
abstract class ErasureTestBase extends BatchTestBase {
  static final int BLOCK = 128;
  static final Stripes STRIPES = new Stripes(4, 2, BLOCK);

  Optional<FileFailure> batchFailure = Optional.empty();

  /** Runs jobs to their end. Returns the last event of each job. */
  final List<FileEvent> run(List<FileJob> jobs) {
    List<BatchEvent> events = run(new BatchSettings(Optional.empty(), 1, 3, 1 << 20, jobs));
    batchFailure = ended(events).failure();
    return ends(events);
  }

  final FileFailure failure(FileJob job) {
    return ((FileEvent.Failed) run(List.of(job)).get(0)).failure();
  }

  final void runAll(List<FileJob> jobs) {
    assertThat(run(jobs)).hasSize(jobs.size()).allMatch(end -> end instanceof FileEvent.Done);
  }

  final FileJob encode(String name, Stripes stripes) {
    return new FileJob.Encode(folder.resolve(name), folder.resolve(name + ".d"), stripes, false);
  }

  final FileJob recover(Path parts) {
    return new FileJob.Recover(parts, parts.resolveSibling(parts.getFileName() + ".out"), false);
  }

  final Path output(Path parts) {
    return parts.resolveSibling(parts.getFileName() + ".out");
  }

  static byte[] noise(int bytes) {
    byte[] noise = new byte[bytes];
    new Random(bytes).nextBytes(noise);
    return noise;
  }

  /** Writes a file of noise and encodes it; returns the folder of its parts. */
  final Path parts(String name, int bytes) throws IOException {
    Files.write(folder.resolve(name), noise(bytes));
    runAll(List.of(encode(name, STRIPES)));
    return folder.resolve(name + ".d");
  }

  static Path part(Path parts, int index) {
    return parts.resolve("part-%03d.ec".formatted(index));
  }

  static PartReport verify(Path parts) throws IOException {
    try (PartSet set = PartSet.open(parts)) {
      return PartReport.of(set, done -> {});
    }
  }
}
