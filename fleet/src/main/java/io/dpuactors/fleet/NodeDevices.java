package io.dpuactors.fleet;

import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.bridge.device.DeviceInfo;
import io.dpuactors.bridge.device.Devices;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The devices of a node.
 *
 * @param library name of the DOCA library
 * @param addresses PCI addresses, at least one
 * @param kinds kinds of tasks that at least one device runs
 */
record NodeDevices(String library, List<String> addresses, Set<TaskKind> kinds) {
  /**
   * Chooses devices that can deflate or inflate.
   *
   * @param wanted PCI addresses, long or short; empty: the first suitable device
   * @throws IllegalStateException if a device is missing or unsuitable
   */
  static NodeDevices choose(DocaLibrary library, List<String> wanted) {
    List<DeviceInfo> present = Devices.list(library);
    List<DeviceInfo> chosen =
        wanted.isEmpty()
            ? present.stream().filter(device -> !kinds(device).isEmpty()).limit(1).toList()
            : wanted.stream().map(address -> find(library, present, address)).toList();
    if (chosen.isEmpty()) {
      throw new IllegalStateException(
          "no device can deflate or inflate: %s has %s".formatted(library.name(), names(present)));
    }
    Set<TaskKind> kinds = EnumSet.noneOf(TaskKind.class);
    chosen.forEach(device -> kinds.addAll(kinds(device)));
    return new NodeDevices(
        library.name(), chosen.stream().map(DeviceInfo::pciAddress).toList(), kinds);
  }

  private static DeviceInfo find(DocaLibrary library, List<DeviceInfo> present, String wanted) {
    DeviceInfo device =
        present.stream()
            .filter(one -> one.hasAddress(wanted))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "no device %s: %s has %s"
                            .formatted(wanted, library.name(), names(present))));
    if (kinds(device).isEmpty()) {
      throw new IllegalStateException(
          "device %s (%s) can neither deflate nor inflate"
              .formatted(device.pciAddress(), library.name()));
    }
    return device;
  }

  /** Returns the kinds of a fleet that a device runs with blocks of the largest size. */
  private static Set<TaskKind> kinds(DeviceInfo device) {
    return FleetMessage.KINDS.stream()
        .filter(kind -> isAble(device, kind))
        .collect(Collectors.toSet());
  }

  private static boolean isAble(DeviceInfo device, TaskKind kind) {
    var limits = device.capabilities(TaskLibrary.COMPRESS).of(kind);
    return limits.supported() && limits.maxBufferBytes() >= FleetMessage.MAX_BLOCK_BYTES;
  }

  private static String names(List<DeviceInfo> devices) {
    return devices.isEmpty()
        ? "no device"
        : devices.stream().map(DeviceInfo::pciAddress).collect(Collectors.joining(", "));
  }
}
