package io.dpuactors.apps;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** A program in a separate process: dpu as a user starts it, or a program that it works with. */
public final class Program {
  private static final int POLL_MS = 20;
  private static final Duration WORK = Duration.ofMillis(500);
  private static final long IDLE_NS = TimeUnit.SECONDS.toNanos(60);
  private static final long MOST_NS = TimeUnit.SECONDS.toNanos(150);
  private static final ProcessBuilder.Redirect NOTHING =
      ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile());

  /**
   * The JVM of short programs. {@code env} restores SIGINT: a shell without job control disables it
   * for commands, and so for tests, in the background.
   */
  static final List<String> JAVA =
      List.of(
          "env",
          "--default-signal=INT",
          Path.of(System.getProperty("java.home"), "bin", "java").toString(),
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-Xmx128m");

  private final Path out;
  private final Path err;
  private final Process process;

  private Program(
      Path folder,
      Map<String, String> environment,
      ProcessBuilder.Redirect input,
      List<String> command)
      throws IOException {
    out = Files.createTempFile(folder, "stdout", ".txt");
    err = Files.createTempFile(folder, "stderr", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectInput(input)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().putAll(environment);
    process = builder.start();
  }

  /** Starts dpu; its output goes to files in a folder. */
  static Program dpu(Path logs, Map<String, String> environment, List<String> jvm, Object... words)
      throws IOException {
    return new Program(logs, environment, NOTHING, command(jvm, words));
  }

  /** Starts dpu, which reads the input of {@link #tell}. */
  static Program dpuThatListens(Path logs, Map<String, String> environment, Object... words)
      throws IOException {
    return new Program(logs, environment, ProcessBuilder.Redirect.PIPE, command(List.of(), words));
  }

  /** Starts dpu with options of the JVM; it reads what the caller writes to the process. */
  static Program dpuThatListens(Path logs, List<String> jvm, Object... words) throws IOException {
    return new Program(logs, Map.of(), ProcessBuilder.Redirect.PIPE, command(jvm, words));
  }

  /** Starts dpu with a file as its standard input. */
  static Program dpuThatReads(
      Path logs, Map<String, String> environment, Path input, Object... words) throws IOException {
    return new Program(
        logs, environment, ProcessBuilder.Redirect.from(input.toFile()), command(List.of(), words));
  }

  /** Starts a command with additional arguments. */
  public static Program of(Path logs, List<String> words, List<String> more) throws IOException {
    List<String> command = new ArrayList<>(words);
    command.addAll(more);
    return new Program(logs, Map.of(), NOTHING, command);
  }

  /** Returns the command line of dpu. */
  static List<String> command(List<String> jvm, Object... words) {
    List<String> command = new ArrayList<>(JAVA);
    command.addAll(ProgramClasses.options());
    command.addAll(jvm);
    command.add(Dpu.class.getName());
    for (Object word : words) {
      command.add(word.toString());
    }
    return command;
  }

  public static Program of(Path logs, String... command) throws IOException {
    return new Program(logs, Map.of(), NOTHING, List.of(command));
  }

  static boolean exists(String name) {
    return Files.isExecutable(Path.of("/usr/bin", name))
        || Files.isExecutable(Path.of("/bin", name));
  }

  /** Writes text to the program's standard input. */
  void tell(String what) throws IOException {
    process.outputWriter().append(what).flush();
  }

  /** Closes the program's standard input. */
  void endInput() throws IOException {
    process.outputWriter().close();
  }

  Process process() {
    return process;
  }

  /**
   * Waits for a condition. Fails after 60 s in which the program has done almost no work, and after
   * 150 s in any case. A machine under load slows a program down, and does not fail it.
   *
   * @param what the condition, for the error
   */
  void await(String what, Callable<Boolean> condition) throws Exception {
    long beganNs = System.nanoTime();
    long workedNs = beganNs;
    Duration used = used(Duration.ZERO);
    while (!condition.call()) {
      long nowNs = System.nanoTime();
      Duration now = used(used);
      if (now.minus(used).compareTo(WORK) >= 0) {
        used = now;
        workedNs = nowNs;
      }
      if (nowNs - workedNs > IDLE_NS || nowNs - beganNs > MOST_NS) {
        throw new AssertionError(
            "waited %d s for %s (%s of CPU time used): %s%s"
                .formatted((nowNs - beganNs) / 1_000_000_000, what, now, out(), err()));
      }
      process.waitFor(POLL_MS, TimeUnit.MILLISECONDS);
    }
  }

  private Duration used(Duration afterItsEnd) {
    return process.info().totalCpuDuration().orElse(afterItsEnd);
  }

  /** Waits for the end as {@link #await}, and returns the exit status. */
  public int status() throws Exception {
    try {
      await("the end", () -> !process.isAlive());
    } finally {
      process.destroyForcibly();
    }
    return process.exitValue();
  }

  public String out() throws IOException {
    return Files.readString(out);
  }

  public String err() throws IOException {
    return Files.readString(err);
  }

  Path outFile() {
    return out;
  }
}
