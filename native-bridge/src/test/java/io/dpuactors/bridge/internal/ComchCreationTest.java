package io.dpuactors.bridge.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.Census;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.WrongThreadException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that a refused creation reports the reason and leaves no resources. */
class ComchCreationTest {
  private static final MessageLimits LIMITS = ComchRig.LIMITS;

  private final ComchRig rig = new ComchRig(4, 1024 * 4);
  private final ProgressEngine engine = rig.rig.engine;

  @AfterEach
  void end() {
    assertThat(engine.census().count(Census.Resource.CONTEXT)).isLessThanOrEqualTo(2);
    rig.close();
  }

  private DocaContext server(Device device, String name, MessageLimits limits) {
    return Comch.server(engine, device, rig.representor, name, limits, 0);
  }

  @Test
  void serversAreForTheCardAndClientsForTheHost() {
    assertThatThrownBy(() -> server(rig.host, "name", LIMITS))
        .isInstanceOf(DocaException.class)
        .hasMessage(
            "doca_comch_server_create: DOCA_ERROR_NOT_SUPPORTED (4):"
                + " comch server \"name\" on 0000:81:00.0 for 0000:81:00.0");
    assertThatThrownBy(() -> Comch.client(engine, rig.card, "name", LIMITS, 0))
        .hasMessage(
            "doca_comch_client_create: DOCA_ERROR_NOT_SUPPORTED (4):"
                + " comch client of \"name\" on 0000:03:00.0");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 120, 1000})
  void namesHaveALength(int bytes) {
    String name = "n".repeat(bytes);
    assertThatThrownBy(() -> server(rig.card, name, LIMITS))
        .hasMessageStartingWith("doca_comch_server_create: DOCA_ERROR_INVALID_VALUE (6)");
    assertThatThrownBy(() -> Comch.client(engine, rig.host, name, LIMITS, 0))
        .hasMessageStartingWith("doca_comch_client_create: DOCA_ERROR_INVALID_VALUE (6)");
  }

  @Test
  void theLongestNameIsTaken() {
    String name = "n".repeat(rig.card.comchCapabilities().maxNameBytes() - 1);
    server(rig.card, name, LIMITS).destroy();
    Comch.client(engine, rig.host, name, LIMITS, 0).destroy();
  }

  @Test
  void aNameHasNoEndInside() {
    assertThatThrownBy(() -> server(rig.card, "a\0b", LIMITS))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource({"4081, 16, max_msg_size", "4080, 8193, recv_queue_size"})
  void limitsBeyondTheDevicesAreRefused(int bytes, int queue, String setter) {
    MessageLimits limits = new MessageLimits(bytes, queue);
    assertThatThrownBy(() -> server(rig.card, "name", limits))
        .hasMessageStartingWith(
            "doca_comch_server_set_" + setter + ": DOCA_ERROR_INVALID_VALUE (6)");
    assertThatThrownBy(() -> Comch.client(engine, rig.host, "name", limits, 0))
        .hasMessageStartingWith(
            "doca_comch_client_set_" + setter + ": DOCA_ERROR_INVALID_VALUE (6)");
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "-1, 1", "1, 0", "1, -1"})
  void limitsArePositive(int bytes, int queue) {
    assertThatThrownBy(() -> new MessageLimits(bytes, queue))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("messages of " + bytes + " bytes, " + queue + " waiting");
  }

  @Test
  void messagesFitIntoTheEnginesCells() {
    try (ProgressEngine small = ProgressEngine.create(Rig.LIBRARY, 4, 8, 4, 64)) {
      assertTooLong(small, 65);
      Comch.client(small, rig.host, "name", new MessageLimits(64, 1), 0).destroy();
      assertThat(small.census()).hasToString("empty");
    }
  }

  @Test
  void anEngineWithoutCellsHasNoServersAndClients() {
    try (ProgressEngine none = ProgressEngine.create(Rig.LIBRARY, 4, 8, 0, 0)) {
      assertTooLong(none, 1);
      assertThat(none.census()).hasToString("empty");
    }
  }

  private void assertTooLong(ProgressEngine small, int bytes) {
    MessageLimits limits = new MessageLimits(bytes, 1);
    assertThatThrownBy(() -> Comch.client(small, rig.host, "name", limits, 0))
        .isInstanceOf(DocaException.class)
        .hasMessage(
            "dpubridge_comch_configure: DOCA_ERROR_INVALID_VALUE (6):"
                + " comch client of \"name\" on 0000:81:00.0, messages of "
                + bytes
                + " bytes");
  }

  @ParameterizedTest
  @CsvSource({"3, 64", "4, 65", "4, 0", "4, 65600", "-1, 64"})
  void cellsHaveSizesThatTheBridgeTakes(int count, int bytes) {
    assertThatThrownBy(() -> ProgressEngine.create(Rig.LIBRARY, 4, 8, count, bytes))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("dpubridge_create");
  }

  @Test
  void requestsOfAnotherKindAreRefused() {
    DocaContext client = rig.client();
    assertThatThrownBy(() -> Comch.connection(rig.server))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("connection: not for comch server");
    assertThatThrownBy(() -> Comch.disconnect(client, 1))
        .hasMessageStartingWith("disconnect: not for comch client");
    assertThatThrownBy(() -> Comch.id(client)).hasMessageStartingWith("id: not for comch client");
  }

  @Test
  void callsOnADestroyedContextAreRefused() {
    DocaContext client = Comch.client(engine, rig.host, "name", LIMITS, 0);
    client.destroy();
    assertThatThrownBy(() -> Comch.connection(client))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("connection: comch client of \"name\" on 0000:81:00.0 was destroyed");
    assertThatThrownBy(() -> Comch.maxMessageBytes(client))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void everythingBelongsToTheEnginesThread() {
    assertThat(OnThread.run("other", () -> server(rig.card, "name", LIMITS)))
        .isInstanceOf(WrongThreadException.class);
    assertThat(OnThread.run("other", () -> Comch.client(engine, rig.host, "name", LIMITS, 0)))
        .isInstanceOf(WrongThreadException.class);
    assertThat(OnThread.run("other", () -> Comch.producer(engine, 1, 0)))
        .isInstanceOf(WrongThreadException.class);
    assertThat(OnThread.run("other", () -> Comch.disconnect(rig.server, 1)))
        .isInstanceOf(WrongThreadException.class);
    assertThat(OnThread.run("other", () -> Comch.maxMessageBytes(rig.server)))
        .isInstanceOf(WrongThreadException.class);
  }

  @Test
  void aClosedRepresentorOrDeviceIsRefused() {
    Representor closed = Representor.open(rig.card, "");
    closed.close();
    assertThatThrownBy(() -> Comch.server(engine, rig.card, closed, "name", LIMITS, 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("representor 0000:81:00.0 is closed");
    Device gone = Device.open(engine, "81:00.0");
    gone.close();
    assertThatThrownBy(() -> Comch.client(engine, gone, "name", LIMITS, 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("device 0000:81:00.0 is closed");
  }
}
