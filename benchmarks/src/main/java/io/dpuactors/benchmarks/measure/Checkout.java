package io.dpuactors.benchmarks.measure;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The checkout from which {@code ./dpu} started this program.
 *
 * @param root its folder
 */
public record Checkout(Path root) {
  private static final Duration BUILD_LIMIT = Duration.ofMinutes(10);
  private static final String MAIN_CLASS = "io.dpuactors.apps.Dpu";

  /** Finds the checkout. */
  public static Checkout find() throws RunException {
    @Nullable String root = System.getProperty("dpu.root");
    if (root == null || !Files.isExecutable(Path.of(root, "scripts", "build-plain-c"))) {
      throw new RunException("this needs a checkout of the project: start with its ./dpu");
    }
    return new Checkout(Path.of(root));
  }

  /** Returns the default folder for the results of scenarios. */
  public Path results() {
    return root.resolve("benchmarks/results");
  }

  /** Returns the default folder for an experiment's results. */
  public Path results(String experiment) {
    return root.resolve("experiments").resolve(experiment).resolve("results");
  }

  /** Returns the programs of both sides. Builds the plain C programs if they are not up to date. */
  public Programs programs() throws RunException, InterruptedException {
    return new Programs(dpu(), buildPlainC(BUILD_LIMIT));
  }

  /** Runs the build, and returns the folder that it prints. */
  Path buildPlainC(Duration limit) throws RunException, InterruptedException {
    try {
      Path output = Files.createTempFile("dpu-build", ".txt");
      try {
        build(output, limit);
        return Path.of(Files.readString(output, Charset.defaultCharset()).strip());
      } finally {
        Files.deleteIfExists(output);
      }
    } catch (IOException e) {
      throw new RunException("the plain-C programs could not be built: " + e.getMessage());
    }
  }

  /** The output goes to a file: a read from a pipe would wait for its end, without a limit. */
  private void build(Path output, Duration limit)
      throws RunException, IOException, InterruptedException {
    Process build =
        new ProcessBuilder(root.resolve("scripts/build-plain-c").toString())
            .redirectOutput(output.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    build.getOutputStream().close();
    if (!build.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
      build.destroy();
      throw new RunException(
          "the plain-C programs were not built within %d s".formatted(limit.toSeconds()));
    }
    if (build.exitValue() != 0) {
      throw new RunException("the plain-C programs could not be built");
    }
  }

  /** Returns the words that started this program, without its command: JVM, options and classes. */
  public static List<String> dpu() throws RunException {
    try {
      String all = Files.readString(Path.of("/proc/self/cmdline"), StandardCharsets.UTF_8);
      List<String> words = List.of(all.split("\0", -1));
      int main = words.indexOf(MAIN_CLASS);
      if (main < 1) {
        throw new RunException("this is run by ./dpu only, not by " + words.get(0));
      }
      return words.subList(0, main + 1);
    } catch (IOException e) {
      throw new RunException("/proc/self/cmdline cannot be read: " + e.getMessage());
    }
  }
}
