package io.dpuactors.apps;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Programs in processes of their own: this one as a person would start it, and those that it must
 * get along with.
 */
final class Program {
  private static final int LIMIT_S = 60;

  private final Path out;
  private final Path err;
  private final Process process;

  private Program(Path folder, Map<String, String> environment, List<String> command)
      throws IOException {
    out = Files.createTempFile(folder, "stdout", ".txt");
    err = Files.createTempFile(folder, "stderr", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().putAll(environment);
    process = builder.start();
  }

  /** Starts dpu; its output goes to files in a folder. */
  static Program dpu(Path logs, Map<String, String> environment, List<String> jvm, Object... words)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx128m"));
    command.addAll(jvm);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Dpu.class.getName()));
    for (Object word : words) {
      command.add(word.toString());
    }
    return new Program(logs, environment, command);
  }

  static Program of(Path logs, String... command) throws IOException {
    return new Program(logs, Map.of(), List.of(command));
  }

  static boolean exists(String name) {
    return Files.isExecutable(Path.of("/usr/bin", name))
        || Files.isExecutable(Path.of("/bin", name));
  }

  Process process() {
    return process;
  }

  /** Waits for the end, which has a bound. */
  int status() throws InterruptedException {
    if (!process.waitFor(LIMIT_S, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("still running after " + LIMIT_S + " s");
    }
    return process.exitValue();
  }

  String out() throws IOException {
    return Files.readString(out);
  }

  String err() throws IOException {
    return Files.readString(err);
  }

  Path outFile() {
    return out;
  }
}
