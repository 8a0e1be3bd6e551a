package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a seed gives the same run in another process, and after other seeds. */
@Timeout(ReplayTest.LIMIT)
class ReplayTest {
  /** Seconds; a calm machine needs about 10. */
  static final int LIMIT = 300;

  private static final int SEEDS = 12;
  private static final int ALONE = 11;

  /** Stops the actor system in each scenario. */
  private static final int STOP = 88;

  /** The hashes of all seeds, one scenario after the other. */
  private static final Map<String, String> HASHES = new LinkedHashMap<>();

  @BeforeAll
  @Timeout(LIMIT)
  static void runAllSeeds() {
    List<String> runs =
        Simulator.scenarios().stream()
            .flatMap(name -> seeds().mapToObj(seed -> name + ":" + seed))
            .toList();
    hashes(runs).forEach(line -> HASHES.put(line.substring(0, line.indexOf(' ')), line));
  }

  private static LongStream seeds() {
    return LongStream.concat(LongStream.rangeClosed(1, SEEDS), LongStream.of(STOP));
  }

  @Test
  void seedsInAnotherOrderInAnotherProcessRunTheSame() throws IOException, InterruptedException {
    List<String> reversed = new ArrayList<>(HASHES.keySet());
    Collections.reverse(reversed);
    assertThat(elsewhere(reversed)).containsExactlyInAnyOrderElementsOf(HASHES.values());
  }

  /** The scenarios of the libraries share their program. */
  @ParameterizedTest
  @ValueSource(strings = {"compress", "group", "comch", "rdma", "sync-event", "mixed"})
  void aSeedAloneRunsAsAfterOthers(String scenario) throws IOException, InterruptedException {
    String run = scenario + ":" + ALONE;
    assertThat(elsewhere(List.of(run))).containsExactly(HASHES.get(run));
  }

  /** The runs before have stopped the actor system several times. */
  @ParameterizedTest
  @ValueSource(strings = {"batches", "comch"})
  void aStopOfTheSystemAloneRunsAsAfterOthers(String scenario)
      throws IOException, InterruptedException {
    String run = scenario + ":" + STOP;
    assertThat(elsewhere(List.of(run))).containsExactly(HASHES.get(run));
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
    if (outcome.seed() == STOP) {
      assertThat(outcome.reached()).containsKey(Disturbance.STOP_SYSTEM.name());
    }
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
