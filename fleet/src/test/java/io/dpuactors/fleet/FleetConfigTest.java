package io.dpuactors.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import org.junit.jupiter.api.Test;

/** Tests which settings of a member are defaults. */
class FleetConfigTest {
  private static final String IDLE = "dpu.engine.idle";
  private static final String ARTERY_TCP = "pekko.remote.artery.advanced.materializer.io.tcp.";

  /** A full record of TLS 1.3 with its header, type and tag. */
  private static final int RECORD_BYTES = (16 << 10) + 5 + 1 + 16;

  @Test
  void anEngineOfAMemberSleepsAtOnceUnlessTheUserDecides() {
    assertThat(ConfigFactory.load(FleetConfig.defaults()).getString(IDLE)).isEqualTo("event");
    Config user = ConfigFactory.parseString(IDLE + " = busy");
    assertThat(ConfigFactory.load(user.withFallback(FleetConfig.defaults())).getString(IDLE))
        .isEqualTo("busy");
  }

  /** Pekko takes records until their bytes reach the limit. */
  @Test
  void aWriteOfAMemberHasTheRecordsThatFillTwoBuffersOfASocket() {
    Config config = ConfigFactory.load(FleetConfig.defaults());
    long bytes = config.getBytes(ARTERY_TCP + "write-buffer-size");
    long room = 2 * config.getBytes("pekko.io.tcp.direct-buffer-size");
    assertThat((bytes + RECORD_BYTES - 1) / RECORD_BYTES).isEqualTo(room / RECORD_BYTES);
    assertThat(config.getInt(ARTERY_TCP + "coalesce-writes")).isZero();
  }
}
