package io.dpuactors.bridge.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.ComchCapabilities;
import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.ForkedJvm;
import io.dpuactors.bridge.LibraryChoice;
import io.dpuactors.bridge.ListDevices;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.bridge.TaskLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the devices of the software DPU. The role and profile of a device are environment variables
 * of a process.
 */
class DevicesTest {
  private static final String[] HOST_SIDE = {
    "0000:81:00.0", "0000:81:00.1", "0000:81:00.2", "0000:81:00.3"
  };
  private static final TaskLimits LIMITS = new TaskLimits(true, 128L << 20, 128);

  @TempDir private Path folder;

  @Test
  void listingLeavesNothingOpen() {
    DocaLibrary library = DocaLibrary.load(LibraryChoice.SOFTDPU);
    SoftDpu softDpu = SoftDpu.of(library);
    Map<String, Long> before = softDpu.census();

    assertThat(Devices.list(library)).isNotEmpty();
    assertThat(softDpu.census()).isEqualTo(before);
  }

  @Test
  void aLibraryThatCannotBeCreatedHidesNoDevice() {
    DocaLibrary library = DocaLibrary.load(LibraryChoice.SOFTDPU);
    SoftDpu softDpu = SoftDpu.of(library);
    List<DeviceInfo> before = Devices.list(library);

    softDpu.faults("alloc-context:fail=DRIVER");
    try {
      assertThat(Devices.list(library))
          .hasSameSizeAs(before)
          .anyMatch(device -> device.capabilities(TaskLibrary.COMPRESS).any());
    } finally {
      softDpu.clearFaults();
    }
  }

  @Test
  void everyPropertyIsRead() {
    List<DeviceInfo> devices = Devices.list(DocaLibrary.load(LibraryChoice.SOFTDPU));

    assertThat(devices)
        .filteredOn(device -> device.pciAddress().equals("0000:03:00.0"))
        .singleElement()
        .satisfies(
            device -> {
              assertThat(device.ibdevName()).isEqualTo("mlx5_0");
              assertThat(device.ifaceName()).isEqualTo("p0");
              assertThat(device.macAddress()).isEqualTo("02:5d:00:03:00:00");
              assertThat(device.ipv4Address()).isEqualTo("192.0.2.30");
              assertThat(device.representors())
                  .contains(
                      new RepresentorInfo("0000:81:00.0", "PF", "SOFTDPU0S0D0F0", "pf0hpf"),
                      new RepresentorInfo("0000:81:00.2", "VF", "SOFTDPU0S0D0F0VF1", "pf0vf0"));
            });
  }

  @Test
  void anAddressMayLackItsDomainAndNothingElse() {
    DeviceInfo device =
        Devices.list(DocaLibrary.load(LibraryChoice.SOFTDPU)).stream()
            .filter(one -> one.pciAddress().equals("0000:03:00.0"))
            .findFirst()
            .orElseThrow();
    assertThat(List.of("0000:03:00.0", "03:00.0")).allMatch(device::hasAddress);
    assertThat(List.of("", "0", "3:00.0", "0001:03:00.0")).noneMatch(device::hasAddress);
  }

  @Test
  void absentPropertyIsEmpty() {
    List<DeviceInfo> devices = Devices.list(DocaLibrary.load(LibraryChoice.SOFTDPU));

    assertThat(devices)
        .filteredOn(device -> device.pciAddress().equals("0000:81:00.2"))
        .singleElement()
        .satisfies(device -> assertThat(device.ipv4Address()).isEmpty())
        .satisfies(device -> assertThat(device.representors()).isEmpty());
  }

  @Test
  void bothSidesAreSeenUnlessARoleIsChosen() throws Exception {
    ForkedJvm.Result result = list(Map.of());

    assertThat(result.values("device"))
        .contains("0000:03:00.0", "0000:03:00.1")
        .contains(HOST_SIDE)
        .hasSize(6);
    assertThat(result.errors()).isEmpty();
  }

  @Test
  void hostSeesItsFunctionsAndNoRepresentors() throws Exception {
    ForkedJvm.Result result = list(Map.of("SOFTDPU_ROLE", "host"));

    assertThat(result.values("device")).containsExactly(HOST_SIDE);
    assertThat(result.values("representor")).isEmpty();
    assertThat(result.errors()).isEmpty();
  }

  @Test
  void dpuSeesRepresentorsOfTheHostsFunctions() throws Exception {
    ForkedJvm.Result result = list(Map.of("SOFTDPU_ROLE", "dpu"));

    assertThat(result.values("device")).containsExactly("0000:03:00.0", "0000:03:00.1");
    assertThat(result.values("representor")).hasSize(4);
    assertThat(result.errors()).isEmpty();
  }

  @Test
  void profileReportsTasksOfTheCard() throws Exception {
    assertThat(compress("full")).isEqualTo(all(TaskLibrary.COMPRESS.kinds()));
    assertThat(compress("bluefield2"))
        .isEqualTo(all(Set.of(TaskKind.COMPRESS_DEFLATE, TaskKind.DECOMPRESS_DEFLATE)));
    assertThat(compress("bluefield3"))
        .isEqualTo(
            all(
                Set.of(
                    TaskKind.DECOMPRESS_DEFLATE,
                    TaskKind.DECOMPRESS_LZ4_BLOCK,
                    TaskKind.DECOMPRESS_LZ4_STREAM)));
  }

  private static TaskCapabilities all(Set<TaskKind> kinds) {
    return new TaskCapabilities(
        kinds.stream().collect(Collectors.toMap(kind -> kind, kind -> LIMITS)), 8192);
  }

  @Test
  void profileReportsCopyLimitsOfTheCard() throws Exception {
    assertThat(info("full").capabilities(TaskLibrary.DMA).of(TaskKind.DMA_MEMCPY))
        .isEqualTo(LIMITS);
    assertThat(info("bluefield2").capabilities(TaskLibrary.DMA).of(TaskKind.DMA_MEMCPY))
        .isEqualTo(new TaskLimits(true, 2 << 20, 64));
    assertThat(info("bluefield3").capabilities(TaskLibrary.DMA).of(TaskKind.DMA_MEMCPY))
        .isEqualTo(new TaskLimits(true, 2 << 20, 64));
    assertThat(info("full").capabilities(TaskLibrary.DMA).maxTasks()).isPositive();
  }

  @Test
  void cardServesAndHostAsks() {
    List<DeviceInfo> devices = Devices.list(DocaLibrary.load(LibraryChoice.SOFTDPU));

    assertThat(devices)
        .filteredOn(device -> device.comch().server())
        .extracting(DeviceInfo::pciAddress)
        .containsExactly("0000:03:00.0", "0000:03:00.1");
    assertThat(devices)
        .filteredOn(device -> device.comch().client())
        .extracting(DeviceInfo::pciAddress)
        .containsExactlyInAnyOrder(HOST_SIDE);
  }

  @Test
  void everyLimitOfMessagesIsRead() {
    ComchCapabilities server = info("full").comch();

    assertThat(server)
        .isEqualTo(
            new ComchCapabilities(
                true,
                false,
                true,
                true,
                120,
                4080,
                8192,
                8192,
                512,
                128L << 20,
                8192,
                128L << 20,
                8192,
                32));
    assertThat(info("bluefield2").comch().maxConsumerBufferBytes()).isEqualTo(2 << 20);
    assertThat(info("bluefield3").comch().maxProducerBufferBytes()).isEqualTo(2 << 20);
  }

  private TaskCapabilities compress(String profile) {
    return info(profile).capabilities(TaskLibrary.COMPRESS);
  }

  private DeviceInfo info(String profile) {
    DocaLibrary library = DocaLibrary.load(LibraryChoice.SOFTDPU);
    SoftDpu softDpu = SoftDpu.of(library);
    softDpu.profile(profile);
    try {
      return Devices.list(library).get(0);
    } finally {
      softDpu.profile("full");
    }
  }

  private ForkedJvm.Result list(Map<String, String> environment)
      throws IOException, InterruptedException {
    ForkedJvm.Result result =
        ForkedJvm.run(folder, environment, ListDevices.class, "softdpu", folder.toString());
    assertThat(result.status()).as(result.errors()).isZero();
    return result;
  }
}
