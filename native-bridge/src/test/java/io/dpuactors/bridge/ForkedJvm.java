package io.dpuactors.bridge;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs a main class in a separate process: a process reads environment variables once, and never
 * unloads libraries.
 */
public final class ForkedJvm {
  private static final long TIMEOUT_S = 45;

  /** Output and exit status of a program. */
  public record Result(int status, List<String> lines, String errors) {

    /** Returns the text behind {@code key=}; exactly one line must begin with it. */
    public String value(String key) {
      List<String> values = values(key);
      if (values.size() != 1) {
        throw new AssertionError("not one line " + key + "=: " + this);
      }
      return values.get(0);
    }

    public List<String> values(String key) {
      String start = key + "=";
      return lines.stream()
          .filter(line -> line.startsWith(start))
          .map(line -> line.substring(start.length()))
          .toList();
    }
  }

  private ForkedJvm() {}

  /**
   * Runs a program to its end, for at most 45 s.
   *
   * @param folder for the output
   * @param environment added to this process's, without its {@code SOFTDPU_*} and {@code
   *     LD_LIBRARY_PATH}
   */
  public static Result run(
      Path folder, Map<String, String> environment, Class<?> program, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(List.of(arguments));
    Path output = Files.createTempFile(folder, "out", ".txt");
    Path errors = Files.createTempFile(folder, "err", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(output.toFile()).redirectError(errors.toFile());
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.startsWith("SOFTDPU_") || name.equals("LD_LIBRARY_PATH"));
    builder.environment().putAll(environment);
    return new Result(
        waitFor(builder.start()), Files.readAllLines(output), Files.readString(errors));
  }

  private static int waitFor(Process process) throws InterruptedException {
    if (!process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
      throw new AssertionError("a forked program did not end within " + TIMEOUT_S + " s");
    }
    return process.exitValue();
  }
}
