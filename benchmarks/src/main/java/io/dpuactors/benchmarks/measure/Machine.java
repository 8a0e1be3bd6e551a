package io.dpuactors.benchmarks.measure;

import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.LibraryChoice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Properties of the machine that affect the figures. The report lists them; a resumed run compares
 * them.
 */
public final class Machine {
  /** Variables with separate values for each side's programs. */
  private static final Set<String> PER_SIDE = Set.of("SOFTDPU_DIR", "SOFTDPU_ROLE");

  private Machine() {}

  /**
   * Returns names and values for the report.
   *
   * @param dpu the words that start the actors' programs
   */
  public static Map<String, String> describe(List<String> dpu) {
    DocaLibrary library = DocaLibrary.load(LibraryChoice.SOFTDPU);
    Map<String, String> facts = new TreeMap<>();
    facts.put("device", library.name() + " " + library.version());
    facts.put("processor", value("/proc/cpuinfo", "model name"));
    facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
    facts.put("memory", value("/proc/meminfo", "MemTotal"));
    facts.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("architecture", System.getProperty("os.arch", ""));
    facts.put("system", value("/etc/os-release", "PRETTY_NAME"));
    facts.put("jdk", System.getProperty("java.vm.name") + " " + Runtime.version());
    facts.put(
        "jvm options",
        dpu.stream()
            .filter(word -> word.startsWith("-X"))
            .map(word -> word.replaceFirst("=/.*/", "="))
            .collect(Collectors.joining(" ")));
    facts.put("jvm options of the programs, besides", System.getProperty("dpu.short-options", ""));
    facts.put("settings", settings());
    return facts;
  }

  /** Returns the average number of runnable processes in the last minute; 0 if unknown. */
  public static double load() {
    try {
      String load = Files.readString(Path.of("/proc/loadavg"), StandardCharsets.US_ASCII);
      return Double.parseDouble(load.substring(0, load.indexOf(' ')));
    } catch (IOException | RuntimeException e) {
      return 0;
    }
  }

  /** Returns whether other programs use all cores at this load. */
  public static boolean isBusy(double load) {
    return load >= Runtime.getRuntime().availableProcessors();
  }

  /** Returns the changed settings of the software DPU that affect its speed. */
  private static String settings() {
    String set =
        new TreeMap<>(System.getenv())
            .entrySet().stream()
                .filter(e -> e.getKey().startsWith("SOFTDPU_") && !PER_SIDE.contains(e.getKey()))
                .map(e -> e.getKey() + "=" + e.getValue())
                .collect(Collectors.joining(" "));
    return set.isEmpty() ? "as they are by default" : set;
  }

  /** Returns the first value of a key in a file of keys and values; {@code unknown} without. */
  private static String value(String file, String key) {
    try (Stream<String> lines = Files.lines(Path.of(file), StandardCharsets.UTF_8)) {
      return lines
          .filter(line -> line.matches(key + "\\s*[:=].*"))
          .findFirst()
          .map(line -> line.replaceFirst("^[^:=]*[:=]\\s*", "").replace("\"", "").strip())
          .orElse("unknown");
    } catch (IOException | UncheckedIOException e) {
      return "unknown";
    }
  }
}
