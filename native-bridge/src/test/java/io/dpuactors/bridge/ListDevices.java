package io.dpuactors.bridge;

import io.dpuactors.bridge.device.DeviceInfo;
import io.dpuactors.bridge.device.Devices;
import java.nio.file.Path;
import java.util.List;

/** Prints the loaded libraries and the visible devices; tests run it in a separate process. */
public final class ListDevices {
  private ListDevices() {}

  /**
   * Takes two arguments: the library choice, and a folder in place of the kernel's list of PCI
   * devices.
   */
  public static void main(String[] arguments) {
    DocaLibrary library;
    try {
      library = DocaLibrary.load(LibraryChoice.parse(arguments[0]), Path.of(arguments[1]));
    } catch (IllegalStateException e) {
      print("refused", String.valueOf(e.getMessage()));
      return;
    }
    print("name", library.name());
    print("version", library.version());
    print("reason", library.reason());
    library.paths().forEach(path -> print("path", path));
    library.missing().forEach(missing -> print("missing", missing));
    print("absent", library.absentFunctions().size());
    List<DeviceInfo> devices = Devices.list(library);
    for (DeviceInfo device : devices) {
      print("device", device.pciAddress());
      print("compress", device.capabilities(TaskLibrary.COMPRESS));
      print("dma", device.capabilities(TaskLibrary.DMA));
      print("comch", device.comch());
      device.representors().forEach(representor -> print("representor", representor));
    }
    print("listed", devices.size());
  }

  private static void print(String key, Object value) {
    System.out.println(key + "=" + value);
  }
}
