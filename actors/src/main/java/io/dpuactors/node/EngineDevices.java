package io.dpuactors.node;

import io.dpuactors.bridge.Device;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.ProgressEngine;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The devices of an engine, each opened once and closed when the engine stops: contexts and memory
 * must share the opened device. Engine's thread.
 */
public final class EngineDevices {
  private final ProgressEngine engine;
  private final Map<String, Device> devices = new LinkedHashMap<>();

  EngineDevices(ProgressEngine engine) {
    this.engine = engine;
  }

  /**
   * The device with this address.
   *
   * @param pciAddress empty: the first device that fits
   * @param fits what the device must be able to do
   * @param wanted the same for people, for the error
   * @throws DocaException NOT_FOUND or NOT_SUPPORTED
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
   * The device to register memory with. A context can only use memory of the device that it is on
   * itself.
   *
   * @param pciAddress empty: the device that this engine opened first, else the first that can do
   *     anything at all
   */
  public Device openForMemory(Optional<String> pciAddress) {
    if (pciAddress.isEmpty() && !devices.isEmpty()) {
      return devices.values().iterator().next();
    }
    return open(
        pciAddress,
        device ->
            device.compressCapabilities().any()
                || device.dmaCapabilities().any()
                || device.comchCapabilities().any(),
        "compress, decompress, copy or communicate");
  }

  /** Keeps one opened device per address, under whatever key it was asked for. */
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
   * Closes all of them.
   *
   * @param left gets what could not be closed, for people
   */
  void closeAll(List<String> left) {
    devices.values().stream().distinct().forEach(device -> EngineCore.attempt(device::close, left));
  }
}
