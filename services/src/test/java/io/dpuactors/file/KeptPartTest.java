package io.dpuactors.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.file.KeptPart.Attempt;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(CleanLog.class)
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
      assertThat(part.lock()).isEqualTo(Attempt.LOCKED);
    }
    try (KeptPart part = KeptPart.open(path, path)) {
      Files.delete(path);
      assertThat(part.lock()).isEqualTo(Attempt.STALE);
    }
    try (KeptPart part = KeptPart.open(path, path)) {
      Files.delete(path);
      Files.writeString(path, "of another process");
      assertThat(part.lock()).isEqualTo(Attempt.STALE);
      assertThat(path).hasContent("of another process");
    }
  }

  @Test
  void aPartThatIsAlsoACompleteOutputIsRemoved() throws IOException {
    Path path = folder.resolve("part");
    try (KeptPart part = KeptPart.open(path, path)) {
      Files.createLink(folder.resolve("out"), path);
      assertThat(part.lock()).isEqualTo(Attempt.STALE);
    }
    assertThat(path).doesNotExist();
    assertThat(folder.resolve("out")).exists();
  }

  /** The second part is free again after its refusal. */
  @Test
  void aPartThatThisProcessHasUnderAnotherNameIsRefused() throws IOException {
    Path path = folder.resolve("part");
    Path other = folder.resolve("other");
    try (KeptPart part = KeptPart.open(path, path)) {
      assertThat(part.lock()).isEqualTo(Attempt.LOCKED);
      Files.createLink(other, path);
      try (KeptPart second = KeptPart.open(other, other)) {
        assertThatThrownBy(second::lock)
            .isInstanceOf(FileSystemException.class)
            .hasMessageContaining("is the output of another process");
      }
      KeptPart.open(other, other).close();
    }
  }

  @Test
  @ExpectedLog("its part or journal remains open")
  void aJournalThatCannotBeDeletedDoesNotKeepThePart() throws IOException {
    Path in = Files.writeString(folder.resolve("in"), "content");
    FileJob job = new FileJob.Compress(in, folder.resolve("out"), 4096, false, true);
    Path journal = folder.resolve(".out.dpu.journal");
    try (PartialFiles partials = PartialFiles.resumable()) {
      PartialFile file = partials.begin(job);
      Files.delete(journal);
      Path inside = Files.createDirectories(journal.resolve("inside"));
      file.publish(PosixFilePermissions.fromString("rw-------"));
      Files.delete(inside);
      Files.delete(journal);
      assertThat(isLocked(partials.begin(job).path())).isTrue();
    }
  }

  @Test
  void aSecondDiscardKeepsThePartOfAnotherProcess() throws IOException {
    Path in = Files.writeString(folder.resolve("in"), "content");
    FileJob job = new FileJob.Compress(in, folder.resolve("out"), 4096, false, false);
    try (PartialFiles partials = PartialFiles.resumable()) {
      PartialFile file = partials.begin(job);
      file.discard();
      Files.writeString(file.path(), "of another process");
      file.discard();
      assertThat(file.path()).hasContent("of another process");
    }
  }
}
