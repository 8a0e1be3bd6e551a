package io.dpuactors.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.benchmarks.measure.Side;
import io.dpuactors.experiments.run.Experiment;
import io.dpuactors.experiments.run.FakePrograms;
import io.dpuactors.experiments.run.Mode;
import io.dpuactors.experiments.run.Runner;
import io.dpuactors.experiments.run.TrialLog;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks when a run may continue a log, and which problems its report has. */
class ExperimentRunTest {
  private static final int TRIALS = 5;
  private static final Duration LIMIT = Duration.ofSeconds(20);

  @TempDir Path folder;

  private static ExperimentRun run(Experiment experiment, boolean resume) {
    ExperimentRun.Request request =
        new ExperimentRun.Request(
            experiment, TRIALS, true, List.of(Mode.WARM), true, resume, null, LIMIT);
    PrintWriter out = new PrintWriter(new StringWriter());
    return new ExperimentRun(request, out, out);
  }

  private static TrialLog openLog(Path file, boolean resume, String kernel) throws Exception {
    Map<String, String> parameters = new HashMap<>(Map.of("kernel", kernel));
    return run(Experiment.DMA, resume).openLog(file, parameters, 0.5);
  }

  @Test
  void aRefusedResumptionLeavesTheLogUnchanged() throws Exception {
    Path file = folder.resolve("trials.jsonl");
    openLog(file, false, "6.1").close();
    Files.writeString(file, "{\"type\":\"tri", StandardOpenOption.APPEND);
    byte[] before = Files.readAllBytes(file);
    assertThatThrownBy(() -> openLog(file, true, "6.2"))
        .isInstanceOf(ExperimentRun.WrongUse.class)
        .hasMessageContaining("was begun with kernel '6.1', and now it is '6.2'");
    assertThat(file).hasBinaryContent(before);
    try (TrialLog log = openLog(file, true, "6.1")) {
      assertThat(log.loads()).containsExactly(0.5, 0.5);
    }
  }

  /** The terminal shows each problem at once, but only the report is kept. */
  @Test
  void aReportHasTheProblemsBeforeTheFailureThatEndedTheRun() throws Exception {
    FakePrograms fakes = new FakePrograms(folder);
    fakes.prepareEnd(Side.PLAIN, "exit 1");
    int ofFirstRow = TRIALS + 1; // a warm program repeats its first trial
    for (int i = 1; i <= TRIALS; i++) {
      fakes.prepare(Side.ACTORS, ofFirstRow + i, "exit 1");
    }
    Runner.Plan plan =
        new Runner.Plan(
            Experiment.COMPRESSION,
            List.of(Mode.WARM),
            TRIALS,
            fakes.programs(),
            LIMIT,
            folder.resolve("blocks"),
            Optional.empty(),
            folder.resolve("stderr"));
    try (TrialLog log = openLog(folder.resolve("trials.jsonl"), false, "6.1")) {
      assertThat(run(Experiment.COMPRESSION, false).run(plan, log, folder))
          .isEqualTo(ExitCode.FAILURE);
    }
    JsonNode report = new ObjectMapper().readTree(folder.resolve("report.json").toFile());
    assertThat(report.get("warnings"))
        .extracting(JsonNode::asText)
        .containsExactly(
            "compression, 1 in flight, warm, plain C: ended with status 1 after its trials",
            Experiment.COMPRESSION.rows().get(1).label()
                + ": 5 trials of actors in a row failed; the run ends");
  }
}
