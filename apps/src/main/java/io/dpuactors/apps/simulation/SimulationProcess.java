package io.dpuactors.apps.simulation;

import io.dpuactors.apps.cli.ErrorText;
import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.apps.cli.SelfCommand;
import io.dpuactors.simulation.Reduction;
import io.dpuactors.simulation.Shrinker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Another process that runs {@code dpu simulate} with the options of this JVM: a process simulates
 * one seed at a time. Such a process ends with this process. Thread: any, one at a time.
 */
final class SimulationProcess implements AutoCloseable {
  /** Time of one seed, and of the start of a process on a loaded machine. */
  static final Duration END_LIMIT = Duration.ofMinutes(2);

  /** Begins a line of a part with the number of seeds that have run. */
  private static final String DONE = "seeds: ";

  /** Number of lines on stderr that explain the end of a process. */
  private static final int LAST_LINES = 10;

  /** The JVM returns 128 and the number of the signal for a process that a signal ended. */
  private static final int SIGNAL = 128;

  private final Process process;
  private final Thread hook;
  private final Deque<String> lastLines = new ArrayDeque<>();
  private volatile long movedNs = System.nanoTime();
  private volatile boolean isKilled;

  private SimulationProcess(Process process) {
    this.process = process;
    this.hook = new Thread(process::destroyForcibly, "end-" + process.pid());
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Starts a process.
   *
   * @param arguments of {@code dpu simulate}
   * @param isQuiet only its status is needed
   */
  static SimulationProcess start(List<String> arguments, boolean isQuiet) throws IOException {
    List<String> command = SelfCommand.withJvm(List.of());
    command.add("simulate");
    command.addAll(arguments);
    return new SimulationProcess(
        new ProcessBuilder(command)
            .redirectOutput(isQuiet ? Redirect.DISCARD : Redirect.PIPE)
            .redirectError(isQuiet ? Redirect.DISCARD : Redirect.PIPE)
            .start());
  }

  /**
   * Prints the number of seeds that have run, for {@link #output}. The line leaves the process at
   * once, so that it survives the end of the process.
   */
  static void printDone(PrintWriter out, long seeds) {
    out.println(DONE + seeds);
    out.flush();
  }

  /**
   * Returns the output, without the numbers of seeds, when the process has closed it.
   *
   * @param done accepts the number of seeds that have run, after each seed
   */
  String output(LongConsumer done) throws IOException {
    Thread errors = new Thread(this::readErrors, "errors-" + process.pid());
    errors.setDaemon(true);
    errors.start();
    StringBuilder output = new StringBuilder();
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        movedNs = System.nanoTime();
        if (line.startsWith(DONE)) {
          done.accept(Long.parseLong(line.substring(DONE.length())));
        } else {
          output.append(line).append('\n');
        }
      }
      errors.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
    return output.toString();
  }

  private void readErrors() {
    try (BufferedReader lines = process.errorReader(StandardCharsets.UTF_8)) {
      lines.lines().forEach(this::keep);
    } catch (IOException | UncheckedIOException e) {
      keep("stderr cannot be read: " + e.getMessage());
    }
  }

  private synchronized void keep(String line) {
    if (lastLines.size() == LAST_LINES) {
      lastLines.remove();
    }
    lastLines.add(line);
  }

  /** Kills the process if it has run no seed for this time. */
  void killIfStuck(Duration limit) {
    if (System.nanoTime() - movedNs >= limit.toNanos()) {
      isKilled = true;
      process.toHandle().destroyForcibly(); // the streams stay open
    }
  }

  /** Returns how the process has ended, with the last lines of stderr. */
  String end(Duration limit) throws IOException {
    int status = status(limit);
    String how = status > SIGNAL ? "%d, signal %d".formatted(status, status - SIGNAL) : "" + status;
    String end =
        isKilled
            ? "the process was killed, because this seed took more than %d s"
                .formatted(limit.toSeconds())
            : "the process ended without a result, with status " + how;
    synchronized (this) {
      return lastLines.isEmpty() ? end : end + "\n  " + String.join("\n  ", lastLines);
    }
  }

  /** Returns the exit status. A process without an end in time has none. */
  private int status(Duration limit) throws IOException {
    try {
      if (process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        return process.exitValue();
      }
      throw new IOException("a simulation did not end within %d s".formatted(limit.toSeconds()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  /**
   * Returns the options, each after a space, of the smallest form of a failed run. Returns none if
   * a process has no result.
   *
   * @param limit time of one process
   * @param err receives the reason for a run that is not reduced
   */
  static String shrink(List<String> options, Duration limit, PrintWriter err) {
    try {
      Reduction smallest = Shrinker.smallest(reduction -> fails(options, reduction, limit));
      return smallest.options().stream().map(" "::concat).collect(Collectors.joining());
    } catch (UncheckedIOException e) {
      err.println("dpu: the replay is not reduced: " + ErrorText.of(e));
      return "";
    }
  }

  /** Returns whether the promise is broken. A process that ends in another way proves nothing. */
  private static boolean fails(List<String> options, Reduction reduction, Duration limit) {
    List<String> arguments =
        Stream.concat(options.stream(), reduction.options().stream())
            .collect(Collectors.toCollection(ArrayList::new));
    arguments.add("--part");
    try (SimulationProcess process = start(arguments, true)) {
      return process.status(limit) == ExitCode.FAILURE.status();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return; // this process ends, and the hook runs
    }
  }
}
