package io.dpuactors.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFolderTest {
  @TempDir private Path results = Path.of("");

  private RunFolder folders() {
    return new RunFolder(results, "log");
  }

  private Path run(String name) throws IOException {
    Path folder = Files.createDirectories(results.resolve(name));
    Files.writeString(folder.resolve("log"), "");
    return folder;
  }

  @Test
  void aNewRunHasANewFolder() throws Exception {
    Path wanted = results.resolve("a/b");
    assertThat(folders().create(wanted)).isEqualTo(wanted).isDirectory();
    Path chosen = new RunFolder(results.resolve("absent"), "log").create(null);
    assertThat(chosen.getParent()).isEqualTo(results.resolve("absent"));
    assertThat(chosen.getFileName().toString()).matches("\\d{8}-\\d{6}");
  }

  @Test
  void anExistingRunIsNotOverwritten() throws IOException {
    Path taken = run("taken");
    assertThatThrownBy(() -> folders().create(taken))
        .isInstanceOf(RunFolder.Unusable.class)
        .hasMessageContaining("holds a run already: --resume");
    assertThatThrownBy(() -> folders().create(taken.resolve("log")))
        .isInstanceOf(RunFolder.Unusable.class)
        .hasMessageContaining("is no folder");
  }

  @Test
  void theNewestRunIsResumed() throws Exception {
    Path older = run("20260101-000000");
    Path newest = run("20260102-000000");
    Files.createDirectories(results.resolve("20260103-000000"));
    assertThat(folders().newest()).contains(newest);
    assertThat(folders().resume(null)).isEqualTo(newest);
    assertThat(folders().resume(older)).isEqualTo(older);
  }

  @Test
  void theNewestRunCanHaveACondition() throws IOException {
    Path older = run("20260101-000000");
    run("20260102-000000");
    Files.writeString(older.resolve("report.json"), "{}");
    assertThat(folders().newest(run -> Files.exists(run.resolve("report.json")))).contains(older);
    assertThat(folders().newest(run -> false)).isEmpty();
  }

  @Test
  void withoutARunNothingIsResumed() {
    for (Path wanted : new Path[] {null, results, results.resolve("absent")}) {
      assertThatThrownBy(() -> folders().resume(wanted))
          .isInstanceOf(RunFolder.Unusable.class)
          .hasMessageStartingWith("--resume: no run of this experiment in ");
    }
  }
}
