package io.dpuactors.experiments;

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

/** What figures depend on, for the report; and what must be the same when a run is resumed. */
public final class Machine {
  /** Every program of a run is given its own. */
  private static final Set<String> STAGED = Set.of("SOFTDPU_DIR", "SOFTDPU_ROLE");

  private Machine() {}

  /**
   * Names and values for people.
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

  /** How many processes would run at the moment, over the last minute; 0 if nobody knows. */
  public static double load() {
    try {
      String load = Files.readString(Path.of("/proc/loadavg"), StandardCharsets.US_ASCII);
      return Double.parseDouble(load.substring(0, load.indexOf(' ')));
    } catch (IOException | RuntimeException e) {
      return 0;
    }
  }

  /** Of the software DPU, as far as they are not left alone, and mean anything for its speed. */
  private static String settings() {
    String set =
        new TreeMap<>(System.getenv())
            .entrySet().stream()
                .filter(e -> e.getKey().startsWith("SOFTDPU_") && !STAGED.contains(e.getKey()))
                .map(e -> e.getKey() + "=" + e.getValue())
                .collect(Collectors.joining(" "));
    return set.isEmpty() ? "as they are by default" : set;
  }

  /** The first value of a key in a file of keys and values; {@code unknown} without. */
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
