package io.dpuactors.experiments;

import io.dpuactors.experiments.run.RunException;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
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

  /** Returns the default folder for an experiment's reports. */
  public Path results(String experiment) {
    return root.resolve("experiments").resolve(experiment).resolve("results");
  }

  /** Returns the folder of generated test data. */
  Path data() {
    return root.resolve("experiments").resolve("target").resolve("data");
  }

  /** Builds the plain C programs if they are not up to date. */
  public Path buildPlainC() throws RunException, InterruptedException {
    try {
      Process build =
          new ProcessBuilder(root.resolve("scripts/build-plain-c").toString())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      build.getOutputStream().close();
      String folder = new String(build.getInputStream().readAllBytes(), Charset.defaultCharset());
      if (!build.waitFor(BUILD_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        build.destroy();
        throw new RunException("the plain-C programs are still being built: given up");
      }
      if (build.exitValue() != 0) {
        throw new RunException("the plain-C programs could not be built");
      }
      return Path.of(folder.strip());
    } catch (IOException e) {
      throw new RunException("the plain-C programs could not be built: " + e.getMessage());
    }
  }

  /**
   * Returns the command words for a program that runs briefly, or whose blocks do not pass through
   * Java. {@code ./dpu} determines the options for such programs.
   *
   * @param dpu what {@link #dpu} returns
   */
  public static List<String> brief(List<String> dpu) {
    String options = System.getProperty("dpu.short-options", "").strip();
    List<String> words = new ArrayList<>(dpu);
    if (!options.isEmpty()) {
      words.addAll(1, List.of(options.split(" +", -1)));
    }
    return words;
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
