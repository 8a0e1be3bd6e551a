package io.dpuactors.apps.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests time limits of the processes of {@code dpu simulate}. */
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
  void aProcessWithoutAnEndInTimeIsKilled() throws IOException {
    List<String> arguments = List.of("--scenario", "dma", "--seeds", "1000000000", "--json");
    try (SimulationProcess process = SimulationProcess.start(arguments, false)) {
      assertThat(process.output(Duration.ZERO)).isEmpty();
    }
  }
}
