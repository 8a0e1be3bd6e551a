package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.LibraryChoice;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.testkit.device.DeviceLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests when the clock of the software DPU follows that of the world. */
class DeviceTimeTest {
  private final SoftDpu device = SoftDpu.of(DocaLibrary.load(LibraryChoice.SOFTDPU));
  private final DeviceTime time = new DeviceTime(device);

  @BeforeEach
  void begin() {
    DeviceLock.acquire();
    time.begin(1, false);
  }

  @AfterEach
  void end() {
    DeviceTime.end(device);
    DeviceLock.release();
  }

  @Test
  void aTurnBeginsWithTheTimeOfTheWorld() {
    time.advance(5);
    time.advance(2);
    assertThat(device.clock()).isZero();
    time.beginTurn();
    assertThat(device.clock()).isEqualTo(7);
    time.endTurn();
    time.beginTurn();
    assertThat(device.clock()).isEqualTo(7);
    time.endTurn();
  }

  /** A turn that waits continues after other steps, which take time. */
  @Test
  void timePassesAtOnceInATurn() {
    time.beginTurn();
    time.advance(3);
    assertThat(device.clock()).isEqualTo(3);
    time.beginTurn();
    time.endTurn();
    time.advance(4);
    assertThat(device.clock()).isEqualTo(7);
    time.endTurn();
    time.advance(1);
    assertThat(device.clock()).isEqualTo(7);
  }

  @Test
  void aRunBeginsAtZero() {
    time.beginTurn();
    time.advance(3);
    time.begin(2, false);
    time.advance(9);
    assertThat(device.clock()).isZero();
    time.catchUp();
    assertThat(device.clock()).isEqualTo(9);
  }
}
