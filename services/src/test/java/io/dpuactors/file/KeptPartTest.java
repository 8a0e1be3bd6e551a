package io.dpuactors.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptPartTest {
  @TempDir Path folder;

  private static boolean isLocked(Path file) throws IOException {
    String inode = ":" + Files.getAttribute(file, "unix:ino") + " ";
    try (Stream<String> locks = Files.lines(Path.of("/proc/locks"))) {
      return locks.anyMatch(lock -> lock.contains(inode));
    }
  }

  @Test
  void aSecondJobDoesNotReleaseTheLockOfTheFirst() throws IOException {
    Path in = Files.writeString(folder.resolve("in"), "content");
    FileJob job = new FileJob.Compress(in, folder.resolve("out"), 4096, false, false);
    try (PartialFiles first = PartialFiles.resumable();
        PartialFiles second = PartialFiles.resumable()) {
      Path part = first.begin(job).path();
      assertThat(isLocked(part)).isTrue();
      assertThatThrownBy(() -> second.begin(job))
          .isInstanceOf(FileSystemException.class)
          .hasMessageContaining("is the output of another job");
      assertThat(isLocked(part)).isTrue();
    }
    try (PartialFiles third = PartialFiles.resumable()) {
      assertThat(isLocked(third.begin(job).path())).isTrue();
    }
  }

  @Test
  void aPathThatNamesAnotherFileIsNotThePart() throws IOException {
    Path path = folder.resolve("part");
    try (KeptPart part = KeptPart.open(path, path)) {
      assertThat(part.lock()).isTrue();
      assertThat(part.hasPath()).isTrue();
      Files.delete(path);
      assertThat(part.hasPath()).isFalse();
      Files.writeString(path, "of another process");
      assertThat(part.hasPath()).isFalse();
    }
  }
}
