package io.dpuactors.apps.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests the defaults of the commands. */
class ConfigurationTest {
  /** The library has no limits: docs/comch.md has both values. */
  @Test
  void silentPeersHaveLimits() throws Exception {
    Config config = Configuration.load();
    assertThat(config.getDuration("dpu.comch.server.first-request-deadline"))
        .isEqualTo(Duration.ofSeconds(30));
    assertThat(config.getDuration("dpu.comch.client.first-answer-deadline"))
        .isEqualTo(Duration.ofSeconds(10));
  }
}
