package io.dpuactors.apps;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.apps.cli.SelfCommand;
import io.dpuactors.apps.simulation.SimulationJson;
import io.dpuactors.simulation.Campaign;
import io.dpuactors.simulation.Campaign.Failure;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@code dpu simulate}. */
class SimulateTest {
  @Test
  void severalProcessesReachTheSameAsOne() throws IOException {
    JsonNode one = json("--scenario", "dma", "--from", "3", "--seeds", "5", "--json");
    JsonNode two =
        json("--scenario", "dma", "--from", "3", "--seeds", "5", "--json", "--jobs", "2");
    assertThat(two.path("seeds").asLong()).isEqualTo(5);
    assertThat(two.path("hash")).isEqualTo(one.path("hash"));
    assertThat(two.path("reached")).isEqualTo(one.path("reached"));
    assertThat(one.path("reached").path("completed").asLong()).isPositive();
  }

  @Test
  void theTableHasStatesAndDisturbances() {
    Cli run = Cli.run("simulate", "--scenario", "dma", "--seeds", "20");
    assertThat(run.out()).containsPattern("dma: 20 seeds").containsPattern("\\n {2,}.*busy");
    assertThat(run.out()).containsPattern("KILL_ENGINE +\\d");
    assertThat(run.status()).isZero();
  }

  @Test
  void oneSeedIsTracedInItsReducedForm(@TempDir Path folder) throws IOException {
    Path trace = folder.resolve("trace.txt");
    Cli run =
        Cli.run(
            "simulate",
            "--scenario",
            "dma",
            "--seed",
            "7",
            "--requests",
            "2",
            "--drop",
            "1,2,3",
            "--trace",
            trace);
    assertThat(run.status()).isZero();
    assertThat(Files.readString(trace))
        .containsPattern("note: tasks0 [01] completed")
        .doesNotContainPattern("note: tasks\\d [2-9]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--scenario tea | it must be one of",
        "--jobs 0 | --jobs 0: it must be at least 1",
        "--time 0 | --time 0: it must be at least 1",
        "--seed 3 | --seed needs --scenario NAME",
        "--from 2 --seeds 9223372036854775807 | the last seed is above 9223372036854775807",
        "--scenario dma --trace x | need --seed S",
        "--scenario dma --requests 3 | need --seed S",
        "--scenario dma --seed 3 --drop 1,6 | --drop 6: it must be from 1 to 5",
        "--scenario dma --seed 3 --drop 0 | --drop 0: it must be from 1 to 5",
      })
  void wrongUseIsNamed(String arguments, String why) {
    Cli run = Cli.run((Object[]) ("simulate " + arguments).split(" "));
    assertThat(run.error()).contains(why);
    assertThat(run.status()).isEqualTo(ExitCode.USAGE.status());
  }

  /**
   * The search halves the requests of the run: 16 are too many, and 8 are not. The test starts two
   * processes.
   */
  @Test
  @Timeout(180)
  void thePrintedCommandRepeatsTheSmallestRun(@TempDir Path folder)
      throws IOException, InterruptedException {
    Cli run = Cli.run("simulate", "--scenario", "crowded", "--seeds", "3");
    assertThat(run.status()).isEqualTo(ExitCode.FAILURE.status());
    String replay = run.err().lines().filter(line -> line.startsWith("replay: ")).findFirst().get();
    assertThat(replay) // the variables of the software DPU follow "replay: "
        .endsWith(
            " JAVA_HOME=%s ./dpu simulate --scenario crowded --seed 1 --requests 16"
                    .formatted(System.getProperty("java.home"))
                + " --drop 1,2,3,4,5 --trace trace.svg");

    installProgram(folder.resolve("dpu"));
    Process again =
        new ProcessBuilder("sh", "-c", replay.substring("replay: ".length()))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    String output = new String(again.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(output).contains("simulation \"crowded\", seed 1: 16 requests");
    assertThat(again.waitFor()).isEqualTo(ExitCode.FAILURE.status());
    assertThat(folder.resolve("trace.svg")).exists();
  }

  /** Writes a program that starts the JDK of the variable with the classes of this test. */
  private static void installProgram(Path file) throws IOException {
    List<String> words = SelfCommand.withJvm(List.of());
    String quoted =
        words.stream().skip(1).map(word -> " '" + word + "'").collect(Collectors.joining());
    Files.writeString(file, "#!/bin/sh\nexec \"$JAVA_HOME/bin/java\"" + quoted + " \"$@\"\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  /** The reduced runs end with another status than a broken promise, so they prove nothing. */
  @Test
  void aProcessThatEndsInASeedIsAFailureOfTheSeed() {
    Cli run = Cli.run("simulate", "--scenario", "broken", "--seeds", "3");
    assertThat(run.status()).isEqualTo(ExitCode.FAILURE.status());
    List<String> lines = run.err().lines().toList();
    assertThat(lines)
        .hasSize(3)
        .startsWith(
            "dpu: simulation \"broken\", seed 1: the process ended without a result, with status 3",
            "  the last words");
    assertThat(lines.get(2))
        .startsWith("replay: ")
        .endsWith(
            " JAVA_HOME=%s ./dpu simulate --scenario broken --seed 1 --trace trace.svg"
                .formatted(System.getProperty("java.home")));
    assertThat(run.out()).startsWith("broken: 0 seeds");
  }

  /** The parts of all seeds would not fit into the heap. */
  @Test
  void oneOfSeveralProcessesEndsInASeed() throws IOException {
    String all = Long.toString(Long.MAX_VALUE);
    Cli run = Cli.run("simulate", "--scenario", "broken", "--seeds", all, "--jobs", "2", "--json");
    assertThat(run.status()).isEqualTo(ExitCode.FAILURE.status());
    JsonNode failure = new ObjectMapper().readTree(run.out()).path("failure");
    assertThat(failure.path("seed").asLong()).isEqualTo(1);
    assertThat(failure.path("replay").asText()).contains("--scenario broken --seed 1");
  }

  @Test
  void aPrintedResultIsReadAgain() throws IOException {
    Campaign.Result result =
        new Campaign.Result(
            "dma", 3, 1.5, 70, 9, -5, Map.of("a", 2L), Optional.of(new Failure(8, "why")));
    StringWriter text = new StringWriter();
    SimulationJson.print(new PrintWriter(text), result, null);
    assertThat(SimulationJson.read(text.toString())).isEqualTo(result);
    Campaign.Result both = result.plus(Campaign.Result.none("dma"));
    assertThat(both).isEqualTo(result);
    assertThat(result.plus(result).reached()).containsEntry("a", 4L);
  }

  private static JsonNode json(String... arguments) throws IOException {
    Cli run = Cli.run(Stream.concat(Stream.of("simulate"), Stream.of(arguments)).toArray());
    assertThat(run.status()).isZero();
    return new ObjectMapper().readTree(run.out());
  }
}
