package io.dpuactors.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.dpuactors.engine.EngineOptions.Idle;
import io.dpuactors.loop.EngineSettings;
import io.dpuactors.loop.ThreadSettings;
import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that options of one engine replace values of the configuration. */
class EngineOptionsTest {
  private static final Config ROOT = ConfigFactory.load();

  @Test
  void optionsReplaceTheConfiguration() {
    EngineOptions options =
        EngineOptions.defaults()
            .withIdle(Idle.BUSY)
            .withRings(8, 64)
            .withStopDeadline(Duration.ofMillis(1500))
            .with("idle-spin", "7us");
    EngineSettings settings = EngineSettings.from(options.over(ROOT));
    assertThat(settings.idle().name()).isEqualTo("BUSY");
    assertThat(settings.submissionRing()).isEqualTo(8);
    assertThat(settings.completionRing()).isEqualTo(64);
    assertThat(settings.stopDeadline()).isEqualTo(Duration.ofMillis(1500));
    assertThat(settings.idleSpinNs()).isEqualTo(7_000);
    assertThat(settings.idleParkNs()).isEqualTo(EngineSettings.from(ROOT).idleParkNs());
  }

  @Test
  void optionsConfigureTheThread() {
    EngineOptions options =
        EngineOptions.defaults().withCpu(1).withPriority(-5).withThreadName("mine");
    assertThat(ThreadSettings.from(options.over(ROOT)))
        .isEqualTo(new ThreadSettings("mine", OptionalInt.of(1), OptionalInt.of(-5)));
    assertThat(ThreadSettings.from(ROOT))
        .isEqualTo(new ThreadSettings("", OptionalInt.empty(), OptionalInt.empty()));
  }

  @ParameterizedTest
  @CsvSource({"cpu,4096", "cpu,first", "priority,20", "priority,-21"})
  void numbersOutOfRangeAreRefused(String key, String value) {
    Config config = EngineOptions.defaults().with(key, value).over(ROOT);
    assertThatThrownBy(() -> ThreadSettings.from(config))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("dpu.engine." + key + " is '" + value + "'");
  }

  @Test
  void anUnknownKeyIsRefused() {
    Config config = EngineOptions.defaults().with("idel", "busy").over(ROOT);
    assertThatThrownBy(() -> EngineSettings.from(config))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("there is no key dpu.engine.idel; did you mean dpu.engine.idle?");
  }

  @Test
  void optionsOfAnEngineAreReadAsWithTheConfiguration() {
    EngineOptions options = EngineOptions.defaults().withRings(8, 64).with("idle-spin", "7us");
    assertThat(EngineSettings.from(ROOT, options.config()))
        .isEqualTo(EngineSettings.from(options.over(ROOT)));
    assertThat(EngineSettings.from(ROOT, EngineOptions.defaults().config()))
        .isEqualTo(EngineSettings.from(ROOT));
  }

  /** An engine with options does not displace the checked configuration of its actor system. */
  @Test
  void theConfigurationIsCheckedOnce() {
    EngineSettings first = EngineSettings.from(ROOT);
    EngineSettings.from(ROOT, EngineOptions.defaults().withRings(8, 64).config());
    assertThat(EngineSettings.from(ROOT)).isSameAs(first);
  }

  @ParameterizedTest
  @CsvSource({
    "idel, busy, there is no key dpu.engine.idel; did you mean dpu.engine.idle?",
    "submission-ring, 8.5, dpu.engine.submission-ring is '8.5'; it must be a whole number",
    "message-cells, -2, dpu.engine.message-cells is '-2'; it must not be negative",
    "submission-ring, 6, dpu.engine.submission-ring is 6; it must be a power of two",
  })
  void wrongOptionsOfAnEngineAreRefused(String key, String value, String why) {
    Config own = EngineOptions.defaults().with(key, value).config();
    assertThatThrownBy(() -> EngineSettings.from(ROOT, own))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }
}
