package io.dpuactors.apps.simulation;

import io.dpuactors.apps.cli.ErrorText;
import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.apps.cli.SelfCommand;
import io.dpuactors.simulation.Reduction;
import io.dpuactors.simulation.Shrinker;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Another process that runs {@code dpu simulate} with the options of this JVM: a process simulates
 * one seed at a time. Such a process ends with this process. Thread: any, one at a time.
 */
final class SimulationProcess implements AutoCloseable {
  /** Time of one seed, and of the start of a process on a loaded machine. */
  static final Duration END_LIMIT = Duration.ofMinutes(2);

  private final Process process;
  private final Thread hook;

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
            .redirectError(isQuiet ? Redirect.DISCARD : Redirect.INHERIT)
            .start());
  }

  /**
   * Returns the output, when the process has closed it.
   *
   * @param limit kills a process that has not ended after this time
   */
  String output(Duration limit) throws IOException {
    ProcessHandle handle = process.toHandle();
    CompletionStage<ProcessHandle> ended =
        handle.onExit().completeOnTimeout(handle, limit.toMillis(), TimeUnit.MILLISECONDS);
    ended.thenAccept(ProcessHandle::destroyForcibly); // nothing to do for a process that has ended
    try (InputStream out = process.getInputStream()) {
      return new String(out.readAllBytes(), StandardCharsets.UTF_8);
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
