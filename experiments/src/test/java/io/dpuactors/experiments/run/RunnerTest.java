package io.dpuactors.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.benchmarks.measure.Programs;
import io.dpuactors.benchmarks.measure.RunException;
import io.dpuactors.benchmarks.measure.Sample;
import io.dpuactors.benchmarks.measure.Side;
import io.dpuactors.experiments.run.Experiment.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunnerTest implements Runner.Listener {
  private static final Row ONE = Experiment.COMPRESSION.rows().get(0);

  @TempDir Path folder;
  private FakePrograms fakes;
  private TrialLog log;
  private Runnable afterTrial = () -> {};
  private Duration limit = Duration.ofSeconds(20);
  private final List<String> warnings = new ArrayList<>();

  @BeforeEach
  void open() throws IOException {
    fakes = new FakePrograms(folder);
    log = TrialLog.create(folder.resolve("trials.jsonl"), Map.of("a", "b"), 0);
  }

  @AfterEach
  void close() throws IOException {
    log.close();
  }

  @Override
  public void onTrial(Row row, TrialLog.Slot slot, Sample sample) {
    afterTrial.run();
  }

  @Override
  public void onWarning(String what) {
    warnings.add(what);
  }

  private Runner runner(Experiment experiment, int trials, Mode... modes) throws IOException {
    Runner.Plan plan =
        new Runner.Plan(
            experiment,
            List.of(modes),
            trials,
            fakes.programs(),
            limit,
            folder.resolve("blocks"),
            experiment == Experiment.COMPRESSION ? Optional.of("abcd") : Optional.empty(),
            folder.resolve("stderr"));
    return Runner.create(plan, log, this);
  }

  private List<String> run(Experiment experiment, int trials, Mode... modes) throws Exception {
    try (Runner runner = runner(experiment, trials, modes)) {
      return runner.run();
    }
  }

  private String failure(Mode mode, Side side, int number) {
    Sample sample = log.find(new TrialLog.Slot(mode, ONE.key(), side, number)).orElseThrow();
    return sample.failure() == null ? "none" : sample.failure();
  }

  @Test
  void coldTrialsTakeTurnsInFreshProcesses() throws Exception {
    assertThat(run(Experiment.COMPRESSION, 2, Mode.COLD)).isEmpty();
    assertThat(fakes.events())
        .startsWith(
            "actors starts",
            "actors trial 1",
            "plain starts",
            "plain trial 1",
            "actors starts",
            "actors trial 2",
            "plain starts",
            "plain trial 2")
        .hasSize(2 * 8);
    Sample trial = log.find(new TrialLog.Slot(Mode.COLD, ONE.key(), Side.PLAIN, 2)).orElseThrow();
    assertThat(trial.value()).isEqualTo(0.25);
    assertThat(trial.elapsedUs()).isEqualTo(1000.0);
  }

  @Test
  void warmTrialsTakeTurnsInOneProcessEachAfterOneThatDoesNotCount() throws Exception {
    assertThat(run(Experiment.COMPRESSION, 2, Mode.WARM)).isEmpty();
    assertThat(fakes.events().subList(0, 8))
        .containsExactly(
            "actors starts",
            "actors trial 1",
            "actors trial 2",
            "plain starts",
            "plain trial 1",
            "plain trial 2",
            "actors trial 3",
            "plain trial 3");
    assertThat(log.find(new TrialLog.Slot(Mode.WARM, ONE.key(), Side.ACTORS, 3))).isEmpty();
  }

  @Test
  void bothSidesOfRdmaHaveTheSameTasks() {
    Programs programs = new Programs(List.of("dpu"), Path.of("/c"));
    Row row = Experiment.RDMA.rows().get(7);
    assertThat(row.key()).isEqualTo("write-64-p16");
    assertThat(Experiment.RDMA.client(programs, folder, row, Side.PLAIN, 3))
        .containsExactly(
            "/c/rdma-c client --operation write --size 64 --count 20000 --verify --trials 3 --parallel 16"
                .split(" ", -1));
    assertThat(Experiment.RDMA.client(programs, folder, row, Side.ACTORS, 3))
        .startsWith("dpu", "client", "rdma", "--json", "-Ddpu.library=softdpu", "--operation");
    Row messages = Experiment.RDMA.rows().get(41);
    assertThat(Experiment.RDMA.client(programs, folder, messages, Side.PLAIN, 1))
        .contains("send", "16777216", "32")
        .doesNotContain("--verify");
    assertThat(Experiment.RDMA.server(programs, Side.PLAIN))
        .containsExactly(
            "/c/rdma-c serve --connections 4 --memory 64M --message-size 16M".split(" ", -1));
  }

  @Test
  void aFailedFileIsMarkedAndTheOthersContinue() throws Exception {
    fakes.prepare(Side.ACTORS, 1, "echo 'no device' >&2; exit 4");
    fakes.prepare(
        Side.PLAIN, 2, "answer='{\"elapsed_us\":1,\"data_rate_gibps\":1,\"data_error\":true}'");
    fakes.prepare(
        Side.ACTORS, 3, "answer='{\"elapsed_us\":1,\"data_rate_gibps\":1,\"checksum\":\"ab\"}'");
    fakes.prepare(Side.PLAIN, 3, "answer='{\"elapsed_us\":1,\"checksum\":\"abcd\"}'");
    fakes.prepare(Side.ACTORS, 4, "answer='{broken'");
    run(Experiment.COMPRESSION, 5, Mode.COLD);
    assertThat(failure(Mode.COLD, Side.ACTORS, 1))
        .isEqualTo("ended without a result, with status 4: no device");
    assertThat(failure(Mode.COLD, Side.PLAIN, 1)).isEqualTo("none");
    assertThat(failure(Mode.COLD, Side.PLAIN, 2)).isEqualTo("the data is wrong");
    assertThat(failure(Mode.COLD, Side.ACTORS, 3))
        .isEqualTo("the data is wrong: checksum ab instead of abcd");
    assertThat(failure(Mode.COLD, Side.PLAIN, 3)).startsWith("printed no data_rate_gibps");
    assertThat(failure(Mode.COLD, Side.ACTORS, 4)).isEqualTo("printed no JSON: {broken");
    assertThat(failure(Mode.COLD, Side.ACTORS, 5)).isEqualTo("none");
  }

  @Test
  void aColdProcessThatEndsBadlyHasFailed() throws Exception {
    fakes.prepareEnd(Side.PLAIN, "echo 'left open: a task' >&2; exit 1");
    run(Experiment.COMPRESSION, 1, Mode.COLD);
    assertThat(failure(Mode.COLD, Side.PLAIN, 1))
        .isEqualTo("ended with status 1: left open: a task");
  }

  @Test
  void aWarmProcessThatEndsBadlyIsAWarning() throws Exception {
    fakes.prepareEnd(Side.PLAIN, "exit 1");
    assertThat(run(Experiment.COMPRESSION, 1, Mode.WARM))
        .contains("compression, 1 in flight, warm, plain C: ended with status 1 after its trials")
        .isEqualTo(warnings);
    assertThat(failure(Mode.WARM, Side.PLAIN, 1)).isEqualTo("none");
  }

  @Test
  void afterAFailedWarmTrialTheProcessIsANewOne() throws Exception {
    fakes.prepare(Side.ACTORS, 2, "exit 7");
    run(Experiment.COMPRESSION, 2, Mode.WARM);
    assertThat(failure(Mode.WARM, Side.ACTORS, 1)).contains("status 7");
    assertThat(failure(Mode.WARM, Side.ACTORS, 2)).isEqualTo("none");
    assertThat(fakes.events().stream().filter(e -> e.startsWith("actors")).limit(6))
        .containsExactly(
            "actors starts",
            "actors trial 1",
            "actors trial 2",
            "actors starts",
            "actors trial 3",
            "actors trial 4");
  }

  @Test
  void aTrialHasALimit() throws Exception {
    limit = Duration.ofSeconds(1);
    fakes.prepare(Side.PLAIN, 1, "exec sleep 60");
    run(Experiment.COMPRESSION, 1, Mode.COLD);
    assertThat(failure(Mode.COLD, Side.PLAIN, 1)).startsWith("nothing within ");
  }

  @Test
  void aBehaviorThatFailsRepeatedlyIsNotRestarted() throws Exception {
    for (int i = 1; i <= 9; i++) {
      fakes.prepare(Side.PLAIN, i, "exit 1");
    }
    assertThatThrownBy(() -> run(Experiment.COMPRESSION, 9, Mode.COLD))
        .isInstanceOf(RunException.class)
        .hasMessage("compression, 1 in flight: 5 trials of plain C in a row failed; the run ends");
    assertThat(log.find(new TrialLog.Slot(Mode.COLD, ONE.key(), Side.PLAIN, 5))).isPresent();
    assertThat(log.find(new TrialLog.Slot(Mode.COLD, ONE.key(), Side.ACTORS, 6))).isEmpty();
  }

  @Test
  void onlyWhatIsMissingIsRun() throws Exception {
    log.add(new TrialLog.Slot(Mode.COLD, ONE.key(), Side.ACTORS, 1), Sample.of(1));
    log.add(new TrialLog.Slot(Mode.COLD, ONE.key(), Side.PLAIN, 2), Sample.failed("before"));
    run(Experiment.COMPRESSION, 2, Mode.COLD);
    assertThat(fakes.events().subList(0, 4))
        .containsExactly("plain starts", "plain trial 1", "actors starts", "actors trial 1");
    assertThat(failure(Mode.COLD, Side.PLAIN, 2)).isEqualTo("before");
    int before = fakes.events().size();
    run(Experiment.COMPRESSION, 2, Mode.COLD);
    assertThat(fakes.events()).hasSize(before);
  }

  @Test
  void eachSideHasAServerForAsLongAsAMode() throws Exception {
    run(Experiment.COMCH, 2, Mode.COLD, Mode.WARM);
    List<String> servers =
        fakes.events().stream().filter(e -> e.matches(".* (serves|stops)")).toList();
    assertThat(servers)
        .containsExactlyInAnyOrder(
            "actors serves",
            "plain serves",
            "actors stops",
            "plain stops",
            "actors serves",
            "plain serves",
            "actors stops",
            "plain stops");
    assertThat(fakes.events().get(0)).isEqualTo("actors serves");
    assertThat(fakes.events().get(3)).isEqualTo("plain serves");
  }

  @Test
  void anInterruptedTrialIsNotLogged() throws Exception {
    fakes.prepare(Side.PLAIN, 1, "echo >" + folder.resolve("reached") + "; exec sleep 60");
    CountDownLatch first = new CountDownLatch(1);
    afterTrial = first::countDown;
    try (Runner runner = runner(Experiment.COMPRESSION, 3, Mode.COLD)) {
      Thread signal =
          new Thread(
              () -> {
                awaitFirst(first);
                runner.interrupt();
              });
      signal.start();
      assertThatThrownBy(runner::run).isInstanceOf(InterruptedException.class);
      signal.join(10_000);
    }
    assertThat(log.find(new TrialLog.Slot(Mode.COLD, ONE.key(), Side.ACTORS, 1))).isPresent();
    assertThat(log.find(new TrialLog.Slot(Mode.COLD, ONE.key(), Side.PLAIN, 1))).isEmpty();
  }

  private static void awaitFirst(CountDownLatch first) {
    try {
      if (!first.await(20, TimeUnit.SECONDS)) {
        throw new AssertionError("no trial ended");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
