package io.dpuactors.bridge;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the kernel's description of the PCI bus. */
final class PciBus {
  private static final String NVIDIA_NETWORKING = "0x15b3";

  private PciBus() {}

  /**
   * Returns whether a network device of NVIDIA exists.
   *
   * @param devices the kernel's folder with one entry per device; an unreadable folder contains
   *     none
   */
  static boolean hasNvidiaDevice(Path devices) {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(devices)) {
      for (Path entry : entries) {
        if (isNvidia(entry.resolve("vendor"))) {
          return true;
        }
      }
      return false;
    } catch (IOException | DirectoryIteratorException e) {
      return false;
    }
  }

  private static boolean isNvidia(Path vendor) {
    try {
      return Files.readString(vendor).strip().equals(NVIDIA_NETWORKING);
    } catch (IOException e) {
      return false; // removed since the folder was read
    }
  }
}
