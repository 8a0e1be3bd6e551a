package io.dpuactors.apps.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dpuactors.simulation.Campaign;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the processes of {@code dpu simulate}. */
@Timeout(600) // a calm machine needs a few seconds for each method
class SimulationProcessTest {
  @Test
  void aReductionWithoutAResultInTimeIsReported() {
    StringWriter err = new StringWriter();
    List<String> options = List.of("--scenario", "dma", "--seed", "7");
    assertThat(SimulationProcess.shrink(options, Duration.ZERO, new PrintWriter(err))).isEmpty();
    assertThat(err.toString())
        .isEqualToIgnoringNewLines(
            "dpu: the replay is not reduced: a simulation did not end within 0 s");
  }

  @Test
  void aProcessReportsEachSeed() throws IOException {
    List<Long> done = new ArrayList<>();
    List<String> arguments = List.of("--scenario", "dma", "--seeds", "3", "--json", "--part");
    try (SimulationProcess process = SimulationProcess.start(arguments, false)) {
      assertThat(SimulationJson.read(process.output(done::add)).seeds()).isEqualTo(3);
    }
    assertThat(done).containsExactly(1L, 2L, 3L);
  }

  @Test
  void aProcessThatIsStuckIsKilled() throws IOException {
    List<String> arguments = List.of("--scenario", "dma", "--seeds", "1000000000", "--part");
    try (SimulationProcess process = SimulationProcess.start(arguments, false)) {
      process.killIfStuck(Duration.ofDays(1));
      process.killIfStuck(Duration.ZERO);
      assertThat(process.output(done -> {})).isEmpty();
      assertThat(process.end(SimulationProcess.END_LIMIT))
          .isEqualTo("the process was killed, because this seed took more than 120 s");
    }
  }

  @Test
  void theSeedOfAKilledProcessIsNamed() throws IOException, InterruptedException {
    List<Long> done = new ArrayList<>();
    Campaign.Result result = run(DyingScenario.KILLED - 2, done::add);
    assertThat(result.seeds()).isEqualTo(2);
    assertThat(done).last().isEqualTo(2L);
    assertThat(result.failure())
        .contains(
            new Campaign.Failure(
                DyingScenario.KILLED,
                "the process ended without a result, with status 137, signal 9"));
  }

  /** The next seed has no end, so the process has no result. */
  @Test
  void theProgressMovesBeforeTheResultOfAProcess() {
    AtomicLong shown = new AtomicLong();
    LongConsumer progress =
        done -> {
          shown.set(done);
          if (done > 0) {
            throw new CancellationException("seen");
          }
        };
    assertThatExceptionOfType(CancellationException.class)
        .isThrownBy(() -> run(DyingScenario.ENDLESS - 1, progress));
    assertThat(shown).hasValue(1);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, 1",
    "5, 2, 3",
    "20000, 1, 20000",
    "20001, 1, 10001",
    "84000, 2, 14000",
    "9223372036854775807, 1, 20000",
  })
  void theJobsHaveTheSameNumberOfSeeds(long seeds, int jobs, long size) {
    assertThat(SimulationJobs.size(seeds, jobs)).isEqualTo(size);
  }

  private static Campaign.Result run(long from, LongConsumer progress)
      throws IOException, InterruptedException {
    try (SimulationJobs jobs = new SimulationJobs(1, new SimulationTime(null))) {
      return jobs.run("dying", from, 100, progress);
    }
  }
}
