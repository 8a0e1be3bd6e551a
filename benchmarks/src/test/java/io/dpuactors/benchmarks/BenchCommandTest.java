package io.dpuactors.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.apps.Dpu;
import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.benchmarks.result.ResultFolder;
import io.dpuactors.benchmarks.result.RunResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Tests the help and the error messages of {@code dpu bench}. */
class BenchCommandTest {
  @TempDir Path folder;

  private record Cli(int status, String out, String err) {
    static Cli run(Object... arguments) {
      String[] words = Stream.of(arguments).map(Object::toString).toArray(String[]::new);
      CommandLine line = Dpu.commandLine(words);
      StringWriter out = new StringWriter();
      StringWriter err = new StringWriter();
      line.setOut(new PrintWriter(out, true));
      line.setErr(new PrintWriter(err, true));
      return new Cli(line.execute(words), out.toString(), err.toString());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"list", "run", "report"})
  void helpShowsExamples(String action) {
    Cli help = Cli.run("bench", action, "--help");
    assertThat(help.status()).as(help.err()).isZero();
    assertThat(help.out()).contains("Usage: dpu bench " + action, "Exit status");
    assertThat(Cli.run("bench", "--help").out()).contains(action, "Exit status", "Examples");
  }

  static Stream<List<String>> wrongUse() {
    return Stream.of(
        List.of("bench"),
        List.of("bench", "fly"),
        List.of("bench", "list", "all"),
        List.of("bench", "run"),
        List.of("bench", "run", "tea"),
        List.of("bench", "run", "ping", "--trials", "0"),
        List.of("bench", "report", "a", "b"));
  }

  @ParameterizedTest
  @MethodSource
  void wrongUse(List<String> words) {
    Cli wrong = Cli.run(words.toArray());
    assertThat(wrong.status()).isEqualTo(ExitCode.USAGE.status());
    assertThat(wrong.err()).startsWith("dpu: ").contains("--help").hasLineCount(1);
    assertThat(wrong.out()).isEmpty();
  }

  @Test
  void aFolderWithoutResultsIsNamed() {
    Path missing = folder.resolve("missing");
    for (Path path : List.of(missing, folder)) {
      Cli report = Cli.run("bench", "report", path);
      assertThat(report.status()).isEqualTo(ExitCode.FAILURE.status());
      assertThat(report.err()).startsWith("dpu: " + path + ": ").hasLineCount(1);
    }
  }

  /** A run that ended early has only logs. */
  @Test
  void theNewestRunWithResultsIsReported() throws IOException {
    Path runs = folder.resolve("benchmarks/results");
    ResultFolder.write(
        runs.resolve("20260101-000000"),
        new RunResult("tea", "cups of tea", "software DPU", false, Map.of(), 0, List.of()));
    Files.createDirectories(runs.resolve("20260102-000000/logs"));
    Cli report = runIn(checkout(), "bench", "report");
    assertThat(report.err()).isEmpty();
    assertThat(report.status()).isZero();
    assertThat(report.out()).contains("tea: cups of tea (software DPU)");
  }

  /** The plain C programs are not built first: the build of this checkout fails. */
  @Test
  void aFolderThatCannotBeWrittenIsNamed() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    Cli run = runIn(checkout(), "bench", "run", "ping", "--out", file.resolve("results"));
    assertThat(run.status()).isEqualTo(ExitCode.FAILURE.status());
    assertThat(run.err()).startsWith("dpu: " + file).hasLineCount(1);
    assertThat(run.out()).isEmpty();
  }

  /** Returns a folder that passes for a checkout. */
  private Path checkout() throws IOException {
    Path script = Files.createDirectories(folder.resolve("scripts")).resolve("build-plain-c");
    Files.setPosixFilePermissions(
        Files.createFile(script), PosixFilePermissions.fromString("rwxr-xr-x"));
    return folder;
  }

  private static Cli runIn(Path checkout, Object... words) {
    String root = System.setProperty("dpu.root", checkout.toString());
    try {
      return Cli.run(words);
    } finally {
      if (root == null) {
        System.clearProperty("dpu.root");
      } else {
        System.setProperty("dpu.root", root);
      }
    }
  }
}
