package io.dpuactors.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import org.junit.jupiter.api.Test;

/** Tests which settings of a member are defaults. */
class FleetConfigTest {
  private static final String IDLE = "dpu.engine.idle";

  @Test
  void anEngineOfAMemberSleepsAtOnceUnlessTheUserDecides() {
    assertThat(ConfigFactory.load(FleetConfig.defaults()).getString(IDLE)).isEqualTo("event");
    Config user = ConfigFactory.parseString(IDLE + " = busy");
    assertThat(ConfigFactory.load(user.withFallback(FleetConfig.defaults())).getString(IDLE))
        .isEqualTo("busy");
  }
}
