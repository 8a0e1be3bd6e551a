package io.dpuactors.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.experiments.run.Experiment;
import io.dpuactors.experiments.run.Mode;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks when a run may continue a log. */
class ExperimentRunTest {
  @TempDir Path folder;

  private static TrialLog openLog(Path file, boolean resume, String kernel) throws Exception {
    ExperimentRun.Request request =
        new ExperimentRun.Request(
            Experiment.DMA,
            5,
            true,
            List.of(Mode.WARM),
            true,
            resume,
            null,
            Duration.ofSeconds(20));
    PrintWriter out = new PrintWriter(new StringWriter());
    Map<String, String> parameters = new HashMap<>(Map.of("kernel", kernel));
    return new ExperimentRun(request, out, out).openLog(file, parameters, 0.5);
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
}
