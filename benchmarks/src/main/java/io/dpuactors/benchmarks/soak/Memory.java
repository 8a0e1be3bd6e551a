package io.dpuactors.benchmarks.soak;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** Samples of the memory of this process, and whether they stay flat. */
final class Memory {
  /** Fewer samples allow no statement. */
  static final int MIN_SAMPLES = 16;

  private static final long KIB_PER_MIB = 1024;

  /** Growth that is no leak: the Java heap and the compiler settle late. */
  private static final long RESIDENT_ROOM_MIB = 48;

  private static final long VIRTUAL_ROOM_MIB = 128;

  /**
   * One sample, MiB.
   *
   * @param residentMib memory of the process itself, without mapped files
   * @param virtualMib address space
   */
  record Sample(long residentMib, long virtualMib) {}

  private final List<Sample> samples = new ArrayList<>();

  /** Adds the present state, after a garbage collection. */
  void sample() throws IOException {
    System.gc();
    List<String> status = Files.readAllLines(Path.of("/proc/self/status"), StandardCharsets.UTF_8);
    add(
        new Sample(
            (kib(status, "RssAnon:") + kib(status, "RssShmem:")) / KIB_PER_MIB,
            kib(status, "VmSize:") / KIB_PER_MIB));
  }

  void add(Sample sample) {
    samples.add(sample);
  }

  List<Sample> samples() {
    return List.copyOf(samples);
  }

  private static long kib(List<String> status, String key) {
    return status.stream()
        .filter(line -> line.startsWith(key))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElse(0);
  }

  /**
   * Whether nothing leaks: the lowest sample of the last quarter is at most the highest of the
   * second quarter, plus some room. The first quarter is the warm-up.
   */
  boolean isFlat() {
    return samples.size() < MIN_SAMPLES
        || (isFlat(Sample::residentMib, RESIDENT_ROOM_MIB)
            && isFlat(Sample::virtualMib, VIRTUAL_ROOM_MIB));
  }

  private boolean isFlat(ToLongFunction<Sample> figure, long roomMib) {
    int quarter = samples.size() / 4;
    long before =
        samples.subList(quarter, 2 * quarter).stream().mapToLong(figure).max().orElseThrow();
    long after =
        samples.subList(samples.size() - quarter, samples.size()).stream()
            .mapToLong(figure)
            .min()
            .orElseThrow();
    return after <= before + roomMib;
  }
}
