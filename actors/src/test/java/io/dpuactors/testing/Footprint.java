package io.dpuactors.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a process takes of the machine.
 *
 * @param residentKib memory in RAM
 * @param heapKib live objects of the Java heap
 * @param descriptors open files, sockets and the like
 * @param threads of all kinds
 * @param segments mappings that are shared with other processes
 */
public record Footprint(
    long residentKib, long heapKib, long descriptors, long threads, long segments) {
  private static final Path SELF = Path.of("/proc/self");

  /** Of this process, after a garbage collection. */
  public static Footprint now() throws IOException {
    System.gc();
    Runtime heap = Runtime.getRuntime();
    long segments;
    try (Stream<String> maps = Files.lines(SELF.resolve("maps"))) {
      segments = maps.filter(map -> map.contains("rw-s")).count();
    }
    return new Footprint(
        status("VmRSS:"),
        (heap.totalMemory() - heap.freeMemory()) >> 10,
        entries("fd"),
        entries("task"),
        segments);
  }

  private static long status(String key) throws IOException {
    List<String> lines = Files.readAllLines(SELF.resolve("status"));
    String line = lines.stream().filter(one -> one.startsWith(key)).findFirst().orElseThrow();
    return Long.parseLong(line.replaceAll("\\D", ""));
  }

  private static long entries(String folder) throws IOException {
    try (Stream<Path> all = Files.list(SELF.resolve(folder))) {
      return all.count();
    }
  }
}
