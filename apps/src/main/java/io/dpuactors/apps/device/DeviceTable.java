package io.dpuactors.apps.device;

import io.dpuactors.apps.cli.Size;
import io.dpuactors.apps.cli.TextTable;
import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.bridge.device.DeviceInfo;
import io.dpuactors.bridge.device.RepresentorInfo;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Prints devices as a table for users. */
final class DeviceTable {
  private static final List<String> HEADER =
      List.of("DEVICE", "INTERFACE", "RDMA", "LIBRARY", "TASKS", "BUFFER", "KINDS OF TASKS");

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
    devices.forEach(device -> addRows(rows, device));
    TextTable.print(out, rows);
    out.println(
        "Tasks: largest number in flight in one context (-: not reported). Buffer: largest of one"
            + " task.");
    printRepresentors(out, devices);
  }

  /** Adds a row for each library, or one without a library. Kinds with other limits get a row. */
  private static void addRows(List<List<String>> rows, DeviceInfo device) {
    List<String> names =
        List.of(device.pciAddress(), orDash(device.ifaceName()), orDash(device.ibdevName()));
    int before = rows.size();
    for (TaskLibrary library : TaskLibrary.values()) {
      TaskCapabilities can = device.capabilities(library);
      Map<Long, List<TaskKind>> kinds =
          can.limits().keySet().stream()
              .collect(
                  Collectors.groupingBy(
                      kind -> can.of(kind).maxBufferBytes(), TreeMap::new, Collectors.toList()));
      kinds.forEach(
          (bytes, equal) -> rows.add(row(names, library, can.maxTasks(), Size.text(bytes), equal)));
    }
    if (rows.size() == before) {
      rows.add(row(names, "-", "-", "-", "-"));
    }
  }

  private static List<String> row(
      List<String> names, TaskLibrary library, int tasks, String buffer, List<TaskKind> kinds) {
    return row(
        names,
        library.prefix().substring("doca_".length()),
        tasks == Integer.MAX_VALUE ? "-" : String.valueOf(tasks),
        buffer,
        kinds.stream().map(TaskKind::shortName).collect(Collectors.joining(" ")));
  }

  private static List<String> row(List<String> names, String... cells) {
    return Stream.concat(names.stream(), Stream.of(cells)).toList();
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
      TextTable.print(out, rows);
    }
  }

  private static String orDash(String text) {
    return text.isEmpty() ? "-" : text;
  }
}
