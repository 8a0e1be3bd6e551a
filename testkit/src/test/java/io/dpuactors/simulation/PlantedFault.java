package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A change of one place in the source, which violates a promise.
 *
 * @param file path below the folder of the project
 * @param text occurs once in the file
 * @param isMissed whether the last measurement has not found the fault
 */
record PlantedFault(String name, String file, String text, String replacement, boolean isMissed) {
  private static final String MISSED = "missed";

  static final Path ROOT = Path.of(System.getProperty("dpu.root", "..")).toAbsolutePath();

  private static final Path TABLE = ROOT.resolve("testkit/src/test/resources/planted-faults.txt");

  /** Reads the table of faults. */
  static List<PlantedFault> all() {
    try {
      return Files.readAllLines(TABLE).stream()
          .filter(line -> !line.startsWith("#"))
          .map(PlantedFault::parse)
          .toList();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static PlantedFault parse(String line) {
    String[] parts = line.replace("\\n", "\n").split(" \\| ", -1);
    assertThat(parts).as(line).hasSizeBetween(4, 5);
    boolean isMissed = parts.length == 5;
    assertThat(!isMissed || parts[4].equals(MISSED)).as(line).isTrue();
    return new PlantedFault(parts[0], parts[1], parts[2], parts[3].replace("\\|", "|"), isMissed);
  }

  boolean isJava() {
    return file.endsWith(".java");
  }

  Path path() {
    return ROOT.resolve(file);
  }

  /** Returns a change of the same file without an effect. */
  PlantedFault without() {
    return new PlantedFault(name, file, text, text, isMissed);
  }

  /** Returns the source with the fault. */
  String source() throws IOException {
    String source = Files.readString(path());
    assertThat(source.split(java.util.regex.Pattern.quote(text), -1)).as(name).hasSize(2);
    return source.replace(text, replacement);
  }

  @Override
  public String toString() {
    return name;
  }
}
