package io.dpuactors.bridge.internal;

import static io.dpuactors.bridge.internal.SyncEvents.Location.CPU;
import static io.dpuactors.bridge.internal.SyncEvents.Location.REMOTE_PCI;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Creation of sync events after the end of their engine or device. */
class SyncEventsTest {
  private final ProgressEngine engine = ProgressEngine.create(Rig.LIBRARY, 4, 8);
  private final Device device = Device.openFirst(engine, any -> true, "anything");

  @AfterEach
  void nothingIsLeft() {
    device.close();
    engine.close();
    Rig.assertSoftDpuEmpty();
  }

  @Test
  void aClosedDeviceIsRefusedBeforeTheEventExists() {
    device.close();
    assertThatThrownBy(() -> SyncEvents.create(engine, device, CPU, CPU, 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is closed");
    assertThatThrownBy(() -> SyncEvents.create(engine, device, REMOTE_PCI, REMOTE_PCI, 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is closed");
  }

  @Test
  void aClosedEngineIsRefused() {
    device.close();
    engine.close();
    assertThatThrownBy(() -> SyncEvents.create(engine, device, CPU, CPU, 1))
        .hasMessage("SyncEvents.create: the progress engine is closed");
    assertThatThrownBy(() -> SyncEvents.createFromExport(engine, device, new byte[1], 1))
        .hasMessage("SyncEvents.createFromExport: the progress engine is closed");
  }

  @Test
  void aContextOfAClosedEngineIsDestroyed() {
    device.close();
    engine.close();
    List<Long> destroyed = new ArrayList<>();
    DocaContext.Destructor destructor =
        new DocaContext.Destructor(
            "destroy",
            object -> {
              destroyed.add(object);
              return 0;
            });
    assertThatThrownBy(() -> DocaContext.attach(engine, "event", 7, 0, destructor, 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("attach event: the progress engine is closed");
    assertThat(destroyed).containsExactly(7L);
  }
}
