package io.dpuactors.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The resources of a process.
 *
 * @param residentKib resident memory in KiB
 * @param heapKib live objects of the Java heap in KiB
 * @param descriptors number of open descriptors
 * @param threads number of threads of all kinds
 * @param segments number of mappings shared with other processes
 */
public record Footprint(
    long residentKib, long heapKib, long descriptors, long threads, long segments) {
  private static final Path SELF = Path.of("/proc/self");

  /** Returns the footprint of this process after a garbage collection. */
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
