package io.dpuactors.testing;

import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.LibraryChoice;
import io.dpuactors.bridge.MemoryExport;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.internal.Device;
import io.dpuactors.bridge.internal.MemoryMap;
import io.dpuactors.bridge.internal.ProgressEngine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The other process: a program of the host side that exports memory. The program reads one command
 * per line and prints one answer per line. See {@link ExporterProcess} for the commands.
 */
final class Exporter {
  private final ProgressEngine engine =
      ProgressEngine.create(DocaLibrary.load(LibraryChoice.SOFTDPU), 16, 64);
  private final Device device = Device.open(engine, "81:00.0");
  private ByteBuffer memory = ByteBuffer.allocateDirect(1);
  private @Nullable MemoryMap map;

  private Exporter() {}

  public static void main(String[] arguments) throws IOException {
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Exporter exporter = new Exporter();
    for (String order = orders.readLine(); order != null; order = orders.readLine()) {
      System.out.println(exporter.execute(order.split(" ")));
    }
    exporter.close();
  }

  private String execute(String[] order) {
    return switch (order[0]) {
      case "export" -> export(Integer.parseInt(order[1]), permissions(order));
      case "unmap" -> unmapped();
      case "bytes" -> bytes(Integer.parseInt(order[1]), Integer.parseInt(order[2]));
      case "census" -> engine.census().toString();
      default -> throw new IllegalArgumentException(order[0]);
    };
  }

  private static Set<Permission> permissions(String[] order) {
    Set<Permission> permissions = EnumSet.noneOf(Permission.class);
    Arrays.stream(order).skip(2).map(Permission::valueOf).forEach(permissions::add);
    return permissions;
  }

  private String export(int bytes, Set<Permission> permissions) {
    unmap();
    if (memory.capacity() != bytes) {
      memory = ByteBuffer.allocateDirect(bytes);
    }
    for (int i = 0; i < bytes; i++) {
      memory.put(i, ExporterProcess.content(i));
    }
    map = MemoryMap.over(engine, device, memory, permissions);
    try {
      MemoryExport export = map.export();
      return HexFormat.of().formatHex(export.bytes());
    } catch (DocaException e) {
      return e.error().code().toString();
    }
  }

  private String unmapped() {
    unmap();
    return "unmapped";
  }

  /** Removes the export and keeps the memory, so that a late write shows. */
  private void unmap() {
    if (map != null) {
      map.close();
      map = null;
    }
  }

  private String bytes(int from, int to) {
    byte[] bytes = new byte[to - from];
    memory.get(from, bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private void close() {
    unmap();
    device.close();
    engine.close();
  }
}
