package io.dpuactors.benchmarks.program;

import io.dpuactors.apps.Subcommand;
import io.dpuactors.apps.channel.TrialOptions;
import io.dpuactors.apps.cli.CliCommand;
import io.dpuactors.apps.cli.CommonOptions;
import io.dpuactors.apps.cli.Configuration;
import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.benchmarks.load.Load;
import io.dpuactors.benchmarks.load.LoadSystem;
import io.dpuactors.benchmarks.load.StreamRun.Form;
import java.io.IOException;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code dpu bench-tasks}: what {@code tasks-c} does, by actors. */
@Command(
    name = "bench-tasks",
    hidden = true,
    sortOptions = false,
    header = {"Keep a window of tasks in flight: the actors' side of the load scenarios.", ""},
    description = {"", "Prints one line of JSON per trial.", ""})
public final class BenchTasksCommand extends CliCommand implements Subcommand {
  @Option(
      names = "--kind",
      paramLabel = "KIND",
      description = "compress, dma, sha, aes-gcm or erasure-coding. Default: dma.")
  private String kind = "dma";

  @Option(names = "--window", paramLabel = "W", description = "Tasks in flight. Default: 64.")
  private int window = 64;

  @Option(names = "--size", paramLabel = "B", description = "Bytes of each. Default: 64.")
  private int size = 64;

  @Option(names = "--count", paramLabel = "N", description = "Tasks of a trial.")
  private long count = 1_000_000;

  @Option(names = "--batch", paramLabel = "N", description = "Tasks per request; 0: no batches.")
  private int batch;

  @Option(names = "--engines", paramLabel = "N", description = "Each with its own window.")
  private int engines = 1;

  @Option(
      names = "--rate",
      paramLabel = "PER_SECOND",
      description = "Tasks fall due at this rate; the trial prints their latencies.")
  private double rate;

  @Option(
      names = "--idle-seconds",
      paramLabel = "S",
      description = "Do nothing for this time, and print the CPU time.")
  private int idleSeconds;

  @Option(
      names = "--stream",
      paramLabel = "FORM",
      description =
          "Run a flow of Pekko Streams, compress or dma, with elements: heap, in-place, on-engine.")
  private @Nullable String stream;

  @Mixin private TrialOptions trials = new TrialOptions();

  @Mixin private CommonOptions common = new CommonOptions();

  /** For the service loader. */
  public BenchTasksCommand() {}

  @Override
  public Integer call() throws Exception {
    common.start();
    Load load = load();
    try (LoadSystem system = LoadSystem.start(Configuration.load(), engines)) {
      run(
          line().getOut(),
          stream != null
              ? TaskTrial.stream(system, load, form(stream))
              : TaskTrial.open(system, load, engines, rate, idleSeconds));
      return ExitCode.OK.status();
    } catch (IllegalStateException e) {
      return fail(e.getMessage(), ExitCode.FAILURE).status();
    }
  }

  private static Form form(String key) {
    return Form.find(key)
        .orElseThrow(() -> new IllegalArgumentException("--stream " + key + ": no such form"));
  }

  private Load load() {
    try {
      if (engines < 1
          || count < engines
          || trials.problem().isPresent()
          || rate < 0
          || (rate > 0 && engines > 1)) {
        throw new IllegalArgumentException("--engines, --count, --trials or --rate out of range");
      }
      if (stream != null && (engines > 1 || rate > 0 || batch > 0 || idleSeconds > 0)) {
        throw new IllegalArgumentException("--stream goes with --kind, --window, --size, --count");
      }
      if (stream != null) {
        form(stream);
      }
      if (batch > 0 && count % ((long) engines * batch) != 0) {
        throw new IllegalArgumentException(
            "--count " + count + " is not a whole number of batches of " + batch + " per engine");
      }
      return new Load(
          Load.Kind.find(kind)
              .orElseThrow(() -> new IllegalArgumentException("--kind " + kind + ": no such kind")),
          window,
          size,
          batch);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(line(), String.valueOf(e.getMessage()), e);
    }
  }

  private void run(PrintWriter out, TaskTrial trial) throws IOException {
    for (int i = 0; trials.begins(i); i++) {
      out.println(trial.run(count));
    }
  }
}
