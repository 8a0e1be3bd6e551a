package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that a seed gives the same run in another process, and after other seeds. */
class ReplayTest {
  private static final int SEEDS = 20;
  private static final int ALONE = 13;

  static List<String> scenarios() {
    return Simulator.scenarios();
  }

  @Test
  void seedsInAnotherOrderInAnotherProcessRunTheSame() throws IOException, InterruptedException {
    List<String> runs =
        LongStream.rangeClosed(1, SEEDS)
            .boxed()
            .flatMap(seed -> scenarios().stream().map(name -> name + ":" + seed))
            .toList();
    List<String> reversed = new ArrayList<>(runs);
    Collections.reverse(reversed);
    assertThat(elsewhere(reversed)).containsExactlyInAnyOrderElementsOf(hashes(runs));
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void aSeedAloneRunsAsAfterOthers(String scenario) throws IOException, InterruptedException {
    List<String> all =
        hashes(LongStream.rangeClosed(1, ALONE).mapToObj(seed -> scenario + ":" + seed).toList());
    assertThat(elsewhere(List.of(scenario + ":" + ALONE))).containsExactly(all.get(ALONE - 1));
  }

  /** Prints the hash of each run. */
  public static void main(String[] runs) {
    hashes(Arrays.asList(runs)).forEach(System.out::println);
  }

  /** Runs the seeds, each of the form {@code scenario:seed}, on one simulator. */
  private static List<String> hashes(List<String> runs) {
    try (Simulator simulator = Simulator.create()) {
      return runs.stream().map(run -> run + " " + hash(simulator, run.split(":"))).toList();
    }
  }

  private static long hash(Simulator simulator, String[] run) {
    Outcome outcome = simulator.run(run[0], Long.parseLong(run[1]), Reduction.NONE, null);
    assertThat(outcome.problem()).isEmpty();
    return outcome.hash();
  }

  /** Runs the seeds in another process. */
  private static List<String> elsewhere(List<String> runs)
      throws IOException, InterruptedException {
    List<String> command =
        Stream.concat(
                Stream.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    System.getProperty("java.class.path"),
                    ReplayTest.class.getName()),
                runs.stream())
            .toList();
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    List<String> lines =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .toList();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return lines;
  }
}
