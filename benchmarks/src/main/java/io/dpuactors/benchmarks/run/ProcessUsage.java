package io.dpuactors.benchmarks.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What the kernel knows of a process; null where it does not tell. */
final class ProcessUsage {
  /** Of /proc: USER_HZ, which is 100 on every Linux that runs this. */
  private static final double TICKS_PER_SECOND = 100;

  private static final int USER_TIME = 11;
  private static final double KIB_PER_MIB = 1024;

  private ProcessUsage() {}

  /** User and system time so far, seconds, in steps of 10 ms. */
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

  /** Most resident memory so far, MiB. */
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
