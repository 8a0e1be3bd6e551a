package io.dpuactors.bridge.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.bridge.TaskLimits;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeviceTest {
  private final ProgressEngine engine = ProgressEngine.create(Rig.LIBRARY, 4, 8);

  @AfterEach
  void end() {
    Rig.SOFT_DPU.clearFaults();
    engine.close();
    assertThat(engine.census()).hasToString("empty");
    Rig.restoreSettings();
    Rig.assertSoftDpuEmpty();
  }

  @Test
  void opensByLongAndShortAddress() {
    for (String address : new String[] {"0000:03:00.0", "03:00.0", " 03:00.0 "}) {
      try (Device device = Device.open(engine, address)) {
        assertThat(device.pciAddress()).isEqualTo("0000:03:00.0");
        assertThat(device.capabilities(TaskLibrary.COMPRESS).any()).isTrue();
        assertThat(device.capabilities(TaskLibrary.DMA).any()).isTrue();
        assertThat(device.capabilities(TaskLibrary.DMA).maxTasks()).isPositive();
        assertThat(engine.census()).hasToString("1 DEVICE");
      }
    }
  }

  @Test
  void anUnknownAddressIsAnsweredWithThoseThatExist() {
    assertThatThrownBy(() -> Device.open(engine, "99:00.0"))
        .isInstanceOf(DocaException.class)
        .hasMessageContaining("DOCA_ERROR_NOT_FOUND (16): no device has PCI address 99:00.0")
        .hasMessageContaining("the devices are 0000:03:00.0, ");
  }

  @Test
  void missingCapabilitiesAreNamed() {
    Rig.SOFT_DPU.profile("bluefield3");
    assertThatThrownBy(
            () ->
                Device.openFirst(
                    engine,
                    d ->
                        d.capabilities(TaskLibrary.COMPRESS)
                            .of(TaskKind.COMPRESS_DEFLATE)
                            .supported(),
                    "deflate compression"))
        .isInstanceOf(DocaException.class)
        .hasMessageContaining("DOCA_ERROR_NOT_SUPPORTED (4): no device offers deflate compression");
    try (Device device =
        Device.openFirst(
            engine,
            d -> d.capabilities(TaskLibrary.COMPRESS).of(TaskKind.DECOMPRESS_DEFLATE).supported(),
            "inflate")) {
      assertThat(device.capabilities(TaskLibrary.COMPRESS).of(TaskKind.COMPRESS_DEFLATE))
          .isEqualTo(TaskLimits.NONE);
      assertThat(device.capabilities(TaskLibrary.COMPRESS).maxTasks()).isPositive();
    }
  }

  @Test
  void aFailureToOpenIsReportedWithItsCode() {
    Rig.SOFT_DPU.faults("alloc-context:fail");
    assertThatThrownBy(() -> Device.openFirst(engine, any -> true, "copies"))
        .isInstanceOf(DocaException.class)
        .hasMessageStartingWith("open device: DOCA_ERROR_NO_MEMORY (7): no device offers copies")
        .hasMessageContaining("; failed to open: doca_compress_create: DOCA_ERROR_NO_MEMORY (7)")
        .satisfies(failed -> assertThat(failed.getSuppressed()).isNotEmpty());
    Rig.SOFT_DPU.faults("alloc-context:fail:nth=1");
    Device.openFirst(engine, any -> true, "copies").close();
  }

  /** Only the contexts of the library report the failure. */
  @Test
  void aLibraryThatCannotBeCreatedLeavesTheOthersUsable() {
    Rig.SOFT_DPU.faults("alloc-context:fail=DRIVER:nth=1");
    try (Device device = Device.open(engine, "03:00.0")) {
      assertThat(device.capabilities(TaskLibrary.COMPRESS).any()).isTrue();
      assertThat(device.capabilities(TaskLibrary.COMPRESS).maxTasks()).isEqualTo(Integer.MAX_VALUE);
      assertThat(device.capabilities(TaskLibrary.DMA).maxTasks()).isEqualTo(8192);
    }
  }

  @Test
  void closingTwiceIsOnce() {
    Device device = Device.open(engine, "03:00.0");
    device.close();
    device.close();
    assertThat(engine.census().isEmpty()).isTrue();
    assertThatThrownBy(() -> TaskFunctions.of(TaskLibrary.COMPRESS).create(engine, device, 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("device 0000:03:00.0 is closed");
    assertThatThrownBy(() -> RegisteredPool.create(engine, device, 1, 1))
        .isInstanceOf(IllegalStateException.class);
    assertThat(engine.census().isEmpty()).isTrue();
  }

  @Test
  void aDeviceInUseStaysOpen() {
    Device device = Device.open(engine, "03:00.0");
    MemoryMap map = MemoryMap.allocate(engine, device, 1);
    assertThatThrownBy(device::close)
        .isInstanceOf(DocaException.class)
        .hasMessage("doca_dev_close: DOCA_ERROR_IN_USE (3): 0000:03:00.0");
    assertThat(engine.census()).hasToString("1 DEVICE, 1 MEMORY_MAP");
    map.close();
    device.close();
  }

  @Test
  void oneDeviceOpensManyTimes() {
    try (Device first = Device.open(engine, "03:00.0");
        Device second = Device.open(engine, "03:00.0")) {
      assertThat(engine.census()).hasToString("2 DEVICE");
      assertThat(first.pciAddress()).isEqualTo(second.pciAddress());
    }
  }
}
