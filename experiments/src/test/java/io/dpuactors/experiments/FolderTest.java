package io.dpuactors.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderTest {
  @TempDir Path results;

  private Path run(String name) throws IOException {
    Path folder = Files.createDirectories(results.resolve(name));
    Files.writeString(folder.resolve("log"), "");
    return folder;
  }

  @Test
  void aNewRunHasANewFolder() throws Exception {
    Path wanted = results.resolve("a/b");
    assertThat(Folder.choose(wanted, results, "log", false).path()).isEqualTo(wanted).isDirectory();
    Path own = Folder.choose(null, results.resolve("own"), "log", false).path();
    assertThat(own.getParent()).isEqualTo(results.resolve("own"));
    assertThat(own.getFileName().toString()).matches("\\d{8}-\\d{6}");
  }

  @Test
  void nothingIsOverwritten() throws IOException {
    Path taken = run("taken");
    assertThatThrownBy(() -> Folder.choose(taken, results, "log", false))
        .isInstanceOf(ExperimentRun.WrongUse.class)
        .hasMessageContaining("holds a run already: --resume");
    assertThatThrownBy(() -> Folder.choose(taken.resolve("log"), results, "log", false))
        .isInstanceOf(ExperimentRun.WrongUse.class)
        .hasMessageContaining("is no folder");
  }

  @Test
  void theNewestRunIsResumed() throws Exception {
    run("20260101-000000");
    Path newest = run("20260102-000000");
    Files.createDirectories(results.resolve("20260103-000000"));
    assertThat(Folder.choose(null, results, "log", true).path()).isEqualTo(newest);
    Path named = results.resolve("20260101-000000");
    assertThat(Folder.choose(named, results, "log", true).path()).isEqualTo(named);
  }

  @Test
  void withoutARunThereIsNothingToResume() {
    for (Path wanted : new Path[] {null, results, results.resolve("absent")}) {
      assertThatThrownBy(() -> Folder.choose(wanted, results, "log", true))
          .isInstanceOf(ExperimentRun.WrongUse.class)
          .hasMessageStartingWith("--resume: no run of this experiment in ");
    }
  }
}
