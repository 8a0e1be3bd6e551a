package io.dpuactors.node;

import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.bridge.internal.Device;
import io.dpuactors.bridge.internal.ProgressEngine;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The devices of an engine. Each is opened once and closed when the engine stops, because contexts
 * and memory must share the opened device. Engine's thread.
 */
public final class EngineDevices {
  private final ProgressEngine engine;
  private final Map<String, Device> devices = new LinkedHashMap<>();

  EngineDevices(ProgressEngine engine) {
    this.engine = engine;
  }

  /**
   * Returns the device with this address.
   *
   * @param pciAddress if empty, the first device that fits
   * @param fits tests the required capabilities
   * @param wanted description of the capabilities, for the error
   * @throws DocaException NOT_FOUND, NOT_SUPPORTED, or the code of a failure to open a device
   */
  public Device open(Optional<String> pciAddress, Predicate<Device> fits, String wanted) {
    if (pciAddress.isEmpty()) {
      return devices.computeIfAbsent(
          "first that can " + wanted, key -> share(Device.openFirst(engine, fits, wanted)));
    }
    String address = longForm(pciAddress.get());
    return devices.computeIfAbsent(address, key -> share(Device.open(engine, key)));
  }

  /**
   * Returns the device to register memory with. A context can use only memory of the same opened
   * device.
   *
   * @param pciAddress if empty, the device that this engine opened first, else the first with any
   *     capability
   */
  public Device openForMemory(Optional<String> pciAddress) {
    if (pciAddress.isEmpty() && !devices.isEmpty()) {
      return devices.values().iterator().next();
    }
    return open(
        pciAddress,
        device ->
            Stream.of(TaskLibrary.values()).anyMatch(each -> device.capabilities(each).any())
                || device.comchCapabilities().any(),
        "tasks or communication");
  }

  /** Keeps one opened device per address, under any number of keys. */
  private Device share(Device fresh) {
    for (Device known : devices.values()) {
      if (known.pciAddress().equals(fresh.pciAddress())) {
        fresh.close();
        return known;
      }
    }
    return fresh;
  }

  private static String longForm(String address) {
    String lower = address.toLowerCase(Locale.ROOT);
    return lower.chars().filter(c -> c == ':').count() == 1 ? "0000:" + lower : lower;
  }

  /**
   * Closes all devices.
   *
   * @param left receives descriptions of the devices that stay open
   */
  void closeAll(List<String> left) {
    devices.values().stream().distinct().forEach(device -> EngineCore.attempt(device::close, left));
  }
}
