package io.dpuactors.loop;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the set of keys below {@code dpu}. */
class ConfigKeysTest {
  private static Config config(String own) {
    return ConfigFactory.load(
        ConfigFactory.parseString(
            own, ConfigParseOptions.defaults().setOriginDescription("own.conf")));
  }

  @ParameterizedTest
  @CsvSource({
    "dpu.libary = auto, own.conf: 1: there is no key dpu.libary; did you mean dpu.library?",
    "dpu.engine.idel = busy, own.conf: 1: there is no key dpu.engine.idel; did you mean dpu.engine.idle?",
    "dpu.compres.window = 3, own.conf: 1: there is no key dpu.compres.window; did you mean dpu.compress.window?",
    "dpu.idle = busy, own.conf: 1: there is no key dpu.idle; did you mean dpu.engine.idle?",
    "dpu.engine.idle.busy = true, own.conf: 1: there is no key dpu.engine.idle.busy; did you mean dpu.engine.idle?",
    "dpu.window = 3, own.conf: 1: there is no key dpu.window",
    "dpu.my-own.number = 3, own.conf: 1: there is no key dpu.my-own.number",
    "dpu.\"a.b\" = 3, own.conf: 1: there is no key dpu.\"a.b\"",
    "dpu.engine-dispatcher.troughput = 3, own.conf: 1: there is no key dpu.engine-dispatcher.troughput; did you mean dpu.engine-dispatcher.throughput?",
    "dpu.lease.debug = true, own.conf: 1: there is no key dpu.lease.debug; it is a system property: -Ddpu.lease.debug=..."
  })
  void aKeyThatDoesNotExistIsNamedWithTheNearest(String own, String message) {
    assertThatThrownBy(() -> ConfigKeys.check(config(own)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
    assertThatThrownBy(() -> EngineSettings.from(config(own))).hasMessage(message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "dpu {}",
        "dpu.library = softdpu, dpu.comch.connection.queue = 0",
        "dpu.compress {}, dpu.compress.restart { max = 1 }",
        "dpu.engine-dispatcher.attempt-teamwork = off",
        "dpu.engine-dispatcher.mailbox-requirement = \"\"",
        "dpu.dma.window = ${dpu.compress.window}",
        "my-own.number = 3"
      })
  void existingKeysAreAccepted(String own) {
    assertThatCode(() -> ConfigKeys.check(config(own))).doesNotThrowAnyException();
  }

  @Test
  void aPartOfTheConfigurationIsCheckedAlone() {
    ConfigKeys.check(ConfigFactory.parseString("dpu.library = auto"));
    assertThatThrownBy(() -> ConfigKeys.check(ConfigFactory.parseString("dpu.libraries = auto")))
        .hasMessage("String: 1: there is no key dpu.libraries; did you mean dpu.library?");
  }

  @Test
  void aValueInPlaceOfASectionIsRefused() {
    assertThatThrownBy(() -> EngineSettings.from(config("dpu.engine = 3")))
        .hasMessage("own.conf: 1: dpu.engine has type NUMBER rather than OBJECT");
  }
}
