package io.dpuactors.engine;

import java.util.List;

/**
 * Options of an {@link EngineGroup}.
 *
 * @param engines number of engines; does not change while the group runs
 * @param devices PCI addresses; the engines take them in turn. Empty: each context uses the device
 *     of its options, or the first suitable one
 * @param settings settings of each engine
 */
public record GroupOptions(int engines, List<String> devices, EngineOptions settings) {
  /** Largest number of engines of a group. */
  public static final int MAX_ENGINES = 64;

  /** Checks the ranges and copies the list. */
  public GroupOptions {
    devices = List.copyOf(devices);
    if (engines < 1 || engines > MAX_ENGINES || engines < devices.size()) {
      throw new IllegalArgumentException(
          "%d engines for %d devices; there must be 1 to %d, and one per device"
              .formatted(engines, devices.size(), MAX_ENGINES));
    }
  }

  /** Returns options of 1 to 64 engines. */
  public static GroupOptions of(int engines) {
    return new GroupOptions(engines, List.of(), EngineOptions.defaults());
  }

  /** Returns these options with devices, which the engines take in turn. */
  public GroupOptions onDevices(String... pciAddresses) {
    return new GroupOptions(engines, List.of(pciAddresses), settings);
  }

  /** Returns these options with other settings of each engine. */
  public GroupOptions withSettings(EngineOptions options) {
    return new GroupOptions(engines, devices, options);
  }
}
