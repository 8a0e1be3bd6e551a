package io.dpuactors.bridge.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.WrongThreadException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RepresentorTest {
  private final Rig rig = new Rig();
  private final Device card = Device.open(rig.engine, "03:00.0");

  @AfterEach
  void end() {
    card.close();
    rig.close();
  }

  @Test
  void theFirstIsTakenWhenNoneIsNamed() {
    try (Representor representor = Representor.open(card, "")) {
      assertThat(representor.pciAddress()).isEqualTo("0000:81:00.0");
      assertThat(representor.pointer()).isNotZero();
      assertThat(rig.engine.census()).hasToString("2 DEVICE, 1 REPRESENTOR");
      assertThat(Rig.SOFT_DPU.census()).containsEntry("representors", 1L);
    }
    assertThat(rig.engine.census()).hasToString("2 DEVICE");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0000:81:00.2", "81:00.2", " 81:00.2 "})
  void aDeviceIsFoundByItsAddress(String address) {
    try (Representor representor = Representor.open(card, address)) {
      assertThat(representor).hasToString("0000:81:00.2");
    }
  }

  @Test
  void anUnknownOneIsRefusedNamingThoseThatExist() {
    assertThatThrownBy(() -> Representor.open(card, "81:00.7"))
        .isInstanceOf(DocaException.class)
        .hasMessage(
            "open representor: DOCA_ERROR_NOT_FOUND (16): no representor 0000:81:00.7 on"
                + " 0000:03:00.0; it has 0000:81:00.0, 0000:81:00.2, 0000:81:00.3");
  }

  @Test
  void theHostHasNone() {
    try (Device host = Device.open(rig.engine, "81:00.0")) {
      assertThatThrownBy(() -> Representor.open(host, ""))
          .isInstanceOf(DocaException.class)
          .hasMessageContaining("NOT_FOUND (16): no representor on 0000:81:00.0; it has none");
    }
  }

  @Test
  void aClosedRepresentorIsRefused() {
    Representor representor = Representor.open(card, "");
    representor.close();
    representor.close();
    assertThatThrownBy(representor::pointer)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("representor 0000:81:00.0 is closed");
  }

  @Test
  void onlyTheEnginesThreadMayUseIt() {
    assertThat(OnThread.run("other", () -> Representor.open(card, "")))
        .isInstanceOf(WrongThreadException.class)
        .hasMessageContaining("Representor.open");
    try (Representor representor = Representor.open(card, "")) {
      assertThat(OnThread.run("other", representor::close))
          .isInstanceOf(WrongThreadException.class);
    }
  }
}
