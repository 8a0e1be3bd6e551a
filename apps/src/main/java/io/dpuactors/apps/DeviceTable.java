package io.dpuactors.apps;

import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.bridge.device.DeviceInfo;
import io.dpuactors.bridge.device.RepresentorInfo;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Prints devices as a table for users. */
final class DeviceTable {
  private static final List<String> HEADER =
      List.of(
          "DEVICE",
          "INTERFACE",
          "RDMA",
          "DEFLATE",
          "INFLATE",
          "LZ4 BLOCK",
          "LZ4 STREAM",
          "TASKS",
          "COPY",
          "COPY TASKS");

  private DeviceTable() {}

  static void print(PrintWriter out, DocaLibrary library, List<DeviceInfo> devices) {
    out.println(
        "Library: %s %s, because %s"
            .formatted(library.name(), library.version(), library.reason()));
    library.missing().forEach(missing -> out.println("Not installed: " + missing));
    if (devices.isEmpty()) {
      out.println("No devices.");
      return;
    }
    out.println();
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEADER);
    devices.forEach(device -> rows.add(row(device)));
    print(out, rows);
    out.println(
        "Sizes: largest buffer of one task. Tasks: largest number in flight in one context.");
    printRepresentors(out, devices);
  }

  private static List<String> row(DeviceInfo device) {
    TaskCapabilities can = device.capabilities(TaskLibrary.COMPRESS);
    return List.of(
        device.pciAddress(),
        orDash(device.ifaceName()),
        orDash(device.ibdevName()),
        limit(can.of(TaskKind.COMPRESS_DEFLATE)),
        limit(can.of(TaskKind.DECOMPRESS_DEFLATE)),
        limit(can.of(TaskKind.DECOMPRESS_LZ4_BLOCK)),
        limit(can.of(TaskKind.DECOMPRESS_LZ4_STREAM)),
        can.any() ? String.valueOf(can.maxTasks()) : "-",
        limit(device.capabilities(TaskLibrary.DMA).of(TaskKind.DMA_MEMCPY)),
        device.capabilities(TaskLibrary.DMA).any()
            ? String.valueOf(device.capabilities(TaskLibrary.DMA).maxTasks())
            : "-");
  }

  private static void printRepresentors(PrintWriter out, List<DeviceInfo> devices) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("REPRESENTOR", "FUNCTION", "INTERFACE", "OF DEVICE", "VUID"));
    for (DeviceInfo device : devices) {
      for (RepresentorInfo representor : device.representors()) {
        rows.add(
            List.of(
                representor.pciAddress(),
                orDash(representor.functionType()),
                orDash(representor.ifaceName()),
                device.pciAddress(),
                orDash(representor.vuid())));
      }
    }
    if (rows.size() > 1) {
      out.println();
      print(out, rows);
    }
  }

  private static void print(PrintWriter out, List<List<String>> rows) {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      Arrays.setAll(widths, i -> Math.max(widths[i], row.get(i).length()));
    }
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String cell = row.get(i);
        line.append(cell).append(" ".repeat(widths[i] - cell.length() + 2));
      }
      out.println(line.toString().stripTrailing());
    }
  }

  private static String limit(TaskLimits limits) {
    return limits.supported() ? Size.text(limits.maxBufferBytes()) : "-";
  }

  private static String orDash(String text) {
    return text.isEmpty() ? "-" : text;
  }
}
