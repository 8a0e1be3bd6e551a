package io.dpuactors.apps.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the environment in the command that replays a seed. */
class ReplaySettingsTest {
  @Test
  void theReplayHasTheVariablesOfTheSoftwareDpu() {
    Map<String, String> environment =
        Map.of(
            "SOFTDPU_ROLE", "dpu",
            "SOFTDPU_PROFILE", "bluefield'3",
            "SOFTDPU_DIR", "/tmp/x",
            "SOFTDPU_NULL", "",
            "PATH", "/bin");
    assertThat(SimulateCommand.settings(environment))
        .isEqualTo("SOFTDPU_PROFILE='bluefield'\\''3' SOFTDPU_ROLE='dpu' ");
    assertThat(SimulateCommand.settings(Map.of())).isEmpty();
  }
}
