package io.dpuactors.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.file.JointNames.Unnamed;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(CleanLog.class)
class JointNamesTest {
  @TempDir Path folder;

  /** Gives a file its name. */
  private interface Naming {
    void run() throws IOException;
  }

  private record Named(Path target, Naming naming) implements Unnamed {
    @Override
    public boolean replaces() {
      return true;
    }

    @Override
    public void giveName() throws IOException {
      naming.run();
    }
  }

  private Named replacing(String name) throws IOException {
    Path target = Files.writeString(folder.resolve(name), "old " + name);
    Path part = Files.writeString(folder.resolve(name + ".part"), "new");
    return new Named(target, () -> Files.move(part, target, StandardCopyOption.REPLACE_EXISTING));
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(f -> f.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void aFailureRestoresTheReplacedFiles() throws IOException {
    NoSuchFileException lost = new NoSuchFileException("part");
    Named a = replacing("a");
    Named b =
        new Named(
            Files.writeString(folder.resolve("b"), "old b"),
            () -> {
              throw lost;
            });
    assertThatThrownBy(() -> JointNames.give(List.of(a, b))).isSameAs(lost);
    assertThat(a.target()).hasContent("old a");
    assertThat(b.target()).hasContent("old b");
    assertThat(names()).containsExactly("a", "b");
  }

  /** A folder takes the name of the first file before the second fails. */
  @Test
  void anOldFileThatCannotBeRestoredKeepsItsSecondName() throws IOException {
    Named a = replacing("a");
    Named b =
        new Named(
            folder.resolve("b"),
            () -> {
              Files.delete(a.target());
              Files.createDirectories(a.target().resolve("occupied"));
              throw new NoSuchFileException("part");
            });
    Path second = folder.resolve(".a.dpu.old");
    assertThatThrownBy(() -> JointNames.give(List.of(a, b)))
        .isInstanceOfSatisfying(
            FileSystemException.class,
            e ->
                assertThat(e.getReason())
                    .isEqualTo("no such file; old files that could not be restored: " + second));
    assertThat(second).hasContent("old a");
  }

  /** A folder takes the second name, so that the second name cannot be deleted. */
  @Test
  @ExpectedLog("the replaced file cannot be deleted")
  void anOldFileThatCannotBeDeletedFailsNothing() throws IOException {
    Named a = replacing("a");
    Path second = folder.resolve(".a.dpu.old");
    Named b =
        new Named(
            folder.resolve("b"),
            () -> {
              Files.delete(second);
              Files.createDirectories(second.resolve("occupied"));
              Files.writeString(folder.resolve("b"), "new");
            });
    JointNames.give(List.of(a, b));
    assertThat(a.target()).hasContent("new");
    assertThat(b.target()).hasContent("new");
  }
}
