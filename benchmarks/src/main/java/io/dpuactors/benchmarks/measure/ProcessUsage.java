package io.dpuactors.benchmarks.measure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads the kernel's figures of a process; null if missing. */
final class ProcessUsage {
  /** USER_HZ of /proc, which is 100 on every supported Linux. */
  private static final double TICKS_PER_SECOND = 100;

  private static final int USER_TIME = 11;
  private static final double KIB_PER_MIB = 1024;

  private ProcessUsage() {}

  /** Returns user and system time in seconds, in steps of 10 ms. */
  static @Nullable Double cpuSeconds(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.UTF_8);
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      return (Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[USER_TIME + 1]))
          / TICKS_PER_SECOND;
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }

  /** Returns the largest resident memory in MiB. */
  static @Nullable Double peakMib(long pid) {
    try {
      return Files.readAllLines(Path.of("/proc/" + pid + "/status"), StandardCharsets.UTF_8)
          .stream()
          .filter(line -> line.startsWith("VmHWM:"))
          .map(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) / KIB_PER_MIB)
          .findFirst()
          .orElse(null);
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }
}
