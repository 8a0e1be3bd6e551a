package io.dpuactors.bridge;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the kernel tells about the PCI bus. */
final class PciBus {
  private static final String NVIDIA_NETWORKING = "0x15b3";

  private PciBus() {}

  /**
   * Whether a network device of NVIDIA's is there, whatever it can do.
   *
   * @param devices the kernel's folder with one entry per device; one that cannot be read has none
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
      return false; // gone since the folder was read
    }
  }
}
