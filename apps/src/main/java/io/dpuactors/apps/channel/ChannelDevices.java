package io.dpuactors.apps.channel;

import io.dpuactors.apps.cli.Configuration;
import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.bridge.device.DeviceInfo;
import io.dpuactors.bridge.device.Devices;
import io.dpuactors.bridge.device.RepresentorInfo;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Devices of this process. Programs choose one before they open anything. */
final class ChannelDevices {
  private final DocaLibrary library;
  private final List<DeviceInfo> devices;

  private ChannelDevices(DocaLibrary library, List<DeviceInfo> devices) {
    this.library = library;
    this.devices = devices;
  }

  static ChannelDevices list() throws Configuration.ConfigurationError, ChannelException {
    try {
      DocaLibrary library = DocaLibrary.load(Configuration.library());
      return new ChannelDevices(library, Devices.list(library));
    } catch (IllegalStateException | DocaException e) {
      throw new ChannelException(ExitCode.DEVICE, String.valueOf(e.getMessage()));
    }
  }

  /** Returns the name of the library: {@code software DPU}, or the name of NVIDIA's. */
  String library() {
    return library.name();
  }

  /** Returns the version of the library. */
  String version() {
    return library.version();
  }

  /** Returns the device of the DPU's side. */
  DeviceInfo server(Optional<String> wanted) throws ChannelException {
    return choose(wanted, device -> device.comch().server(), "serve clients of the host");
  }

  /** Returns a device of the DPU's side that also compresses. */
  DeviceInfo compressServer(Optional<String> wanted) throws ChannelException {
    return choose(
        wanted,
        device ->
            device.comch().server()
                && device
                    .capabilities(TaskLibrary.COMPRESS)
                    .of(TaskKind.COMPRESS_DEFLATE)
                    .supported(),
        "serve clients of the host and compress (deflate)");
  }

  /** Returns the device of the host's side. */
  DeviceInfo client(Optional<String> wanted) throws ChannelException {
    return choose(wanted, device -> device.comch().client(), "connect to servers on a DPU");
  }

  /**
   * Returns the device that exports memory.
   *
   * @param wanted empty: the device of the connections
   */
  DeviceInfo exporter(Optional<String> wanted, DeviceInfo connected) throws ChannelException {
    return wanted.isEmpty() ? connected : choose(wanted, device -> true, "export memory");
  }

  /**
   * Returns the device that imports memory and copies it.
   *
   * @param wanted empty: the device of the connections
   */
  DeviceInfo importer(Optional<String> wanted, DeviceInfo connected) throws ChannelException {
    Optional<String> address = wanted.or(() -> Optional.of(connected.pciAddress()));
    return choose(
        address, device -> device.capabilities(TaskLibrary.DMA).any(), "import and copy memory");
  }

  /** Returns a device for RDMA. */
  DeviceInfo rdma(Optional<String> wanted) throws ChannelException {
    return choose(wanted, device -> !device.ibdevName().isEmpty(), "connect peers (RDMA)");
  }

  private DeviceInfo choose(Optional<String> wanted, Predicate<DeviceInfo> can, String what)
      throws ChannelException {
    if (wanted.isEmpty()) {
      return devices.stream()
          .filter(can)
          .findFirst()
          .orElseThrow(
              () -> unavailable("no device can %s: %s has %s".formatted(what, library(), all())));
    }
    String address = wanted.get();
    for (DeviceInfo device : devices) {
      if (device.hasAddress(address)) {
        if (can.test(device)) {
          return device;
        }
        throw unavailable(
            "device %s (%s) cannot %s".formatted(device.pciAddress(), library(), what));
      }
    }
    throw unavailable("no device %s: %s has %s".formatted(address, library(), all()));
  }

  private String all() {
    return devices.isEmpty()
        ? "none"
        : devices.stream().map(DeviceInfo::pciAddress).collect(Collectors.joining(", "));
  }

  /** Returns the clients' host function as text for users. */
  static String representor(DeviceInfo device, Optional<String> wanted) {
    return wanted.orElseGet(
        () ->
            device.representors().stream()
                .findFirst()
                .map(RepresentorInfo::pciAddress)
                .orElse("no host function"));
  }

  private static ChannelException unavailable(String message) {
    return new ChannelException(ExitCode.DEVICE, message);
  }
}
