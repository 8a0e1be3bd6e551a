package io.dpuactors.apps.simulation;

import io.dpuactors.apps.cli.CliCommand;
import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.apps.cli.HelpOption;
import io.dpuactors.apps.cli.SelfCommand;
import io.dpuactors.apps.cli.Terminal;
import io.dpuactors.simulation.Campaign;
import io.dpuactors.simulation.Coverage;
import io.dpuactors.simulation.Reduction;
import io.dpuactors.simulation.Simulator;
import io.dpuactors.simulation.TraceFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code dpu simulate}. */
@Command(
    name = "simulate",
    sortOptions = false,
    header = {"Run actors, engines and the software DPU on virtual time, from seeds.", ""},
    description = {
      "",
      "Each seed gives one order of all messages, device events, timers and faults. The command"
          + " stops at the first seed that breaks a promise, and prints the command that replays"
          + " it.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu simulate --seeds 1000                      1000 seeds of each scenario",
      "  dpu simulate --seeds 100000 --jobs 4           on 4 processors",
      "  dpu simulate --scenario dma --seed 7 --trace trace.svg"
    })
public final class SimulateCommand extends CliCommand {
  private static final String ALL = "all";

  @Mixin HelpOption help = new HelpOption();

  @Option(
      names = "--scenario",
      paramLabel = "NAME",
      defaultValue = ALL,
      description =
          "compress, dma, sha, aes-gcm, erasure-coding, batches, group, comch, rdma, sync-event,"
              + " mixed, services, streams, or all. Default: ${DEFAULT-VALUE}.")
  private String scenario = ALL;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Number of seeds of each scenario. Default: ${DEFAULT-VALUE}.")
  private long seeds = 1000;

  @Option(
      names = "--from",
      paramLabel = "S",
      defaultValue = "1",
      description = "First seed. Default: ${DEFAULT-VALUE}.")
  private long from = 1;

  @Option(
      names = "--jobs",
      paramLabel = "J",
      defaultValue = "1",
      description = "Number of processes, at most one per processor. Default: ${DEFAULT-VALUE}.")
  private int jobs = 1;

  @Option(
      names = "--time",
      paramLabel = "SECONDS",
      description = "Begin no seed after this time. Default: no limit.")
  private @Nullable Integer time;

  @Option(names = "--seed", paramLabel = "S", description = "Run this seed only.")
  private @Nullable Long seed;

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description =
          "Write each step of --seed to a file: as text, or as a sequence diagram if the name ends"
              + " with .svg.")
  private @Nullable Path trace;

  @Option(
      names = "--requests",
      paramLabel = "N",
      description = "Send at most this number of requests in the run of --seed.")
  private @Nullable Integer requests;

  @Option(
      names = "--drop",
      paramLabel = "N",
      split = ",",
      description =
          "Leave out disturbances of the run of --seed, by their numbers 1 to 3, the quirks: 4, or"
              + " the exceptions of behaviors: 5.")
  private Set<Integer> dropped = Set.of();

  @Option(
      names = "--part",
      hidden = true,
      description = "Run as a part of another process, which reports a failure.")
  private boolean isPart;

  @Option(names = "--json", description = "Print the results as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException, InterruptedException {
    check();
    List<String> scenarios = scenario.equals(ALL) ? Simulator.scenarios() : List.of(scenario);
    SimulationTime limit = new SimulationTime(time);
    for (String name : scenarios) {
      Campaign.Result result = run(limit, name);
      if (!print(result)) {
        return ExitCode.FAILURE.status();
      }
    }
    return ExitCode.OK.status();
  }

  private void check() {
    if (!scenario.equals(ALL) && !Simulator.scenarios().contains(scenario)) {
      throw wrongUse(
          "--scenario %s: it must be one of %s, or all"
              .formatted(scenario, String.join(", ", Simulator.scenarios())));
    }
    atLeastOne("--seeds", seeds);
    atLeastOne("--jobs", jobs);
    atLeastOne("--time", time);
    atLeastOne("--requests", requests);
    if (from > Long.MAX_VALUE - seeds + 1) {
      throw wrongUse(
          "--from %d, --seeds %d: the last seed is above %d"
              .formatted(from, seeds, Long.MAX_VALUE));
    }
    if (seed != null && scenario.equals(ALL)) {
      throw wrongUse("--seed needs --scenario NAME");
    }
    if (seed == null && (trace != null || requests != null || !dropped.isEmpty())) {
      throw wrongUse("--trace, --requests and --drop need --seed S");
    }
    dropped.stream().sorted().forEach(this::checkDropped);
  }

  private void checkDropped(int number) {
    if (number < 1 || number > Reduction.THROWS) {
      throw wrongUse("--drop %d: it must be from 1 to %d".formatted(number, Reduction.THROWS));
    }
  }

  private void atLeastOne(String option, @Nullable Number value) {
    if (value != null && value.longValue() < 1) {
      throw wrongUse("%s %s: it must be at least 1".formatted(option, value));
    }
  }

  private Campaign.Result run(SimulationTime limit, String name)
      throws IOException, InterruptedException {
    if (seed != null) {
      return replay(name, seed);
    }
    if (isPart) {
      PrintWriter out = line().getOut();
      return new Campaign(limit::isOver, done -> SimulationProcess.printDone(out, done))
          .run(name, from, seeds);
    }
    SimulationProgress progress =
        new SimulationProgress(line().getErr(), name, seeds, !json && Terminal.showsProgress());
    try (SimulationJobs processes = new SimulationJobs(jobs, limit)) {
      return processes.run(name, from, seeds, progress);
    } finally {
      progress.clear();
    }
  }

  private Campaign.Result replay(String name, long one) throws IOException {
    Reduction reduction = new Reduction(requests == null ? Integer.MAX_VALUE : requests, dropped);
    if (trace == null) {
      return Campaign.replay(name, one, reduction, step -> {});
    }
    try (TraceFile file = TraceFile.create(trace)) {
      return Campaign.replay(name, one, reduction, file);
    }
  }

  /** Prints a result. Returns false if a seed failed. */
  private boolean print(Campaign.Result result) throws IOException {
    PrintWriter out = line().getOut();
    PrintWriter err = line().getErr();
    Campaign.Failure failed = result.failure().orElse(null);
    if (failed != null && !isPart) {
      err.printf(
          "dpu: simulation \"%s\", seed %d: %s%n",
          result.scenario(), failed.seed(), failed.problem());
      err.flush();
    }
    String replay = failed == null || isPart ? null : replay(result.scenario(), failed);
    if (json) {
      SimulationJson.print(out, result, replay);
    } else {
      table(out, result);
    }
    if (replay != null) {
      err.printf("replay: %s%n", replay);
    }
    return failed == null;
  }

  /** Returns a command that repeats the failed seed. A run depends on the JDK and the device. */
  private String replay(String name, Campaign.Failure failed) {
    List<String> options = List.of("--scenario", name, "--seed", Long.toString(failed.seed()));
    PrintWriter err = line().getErr();
    String reduction =
        seed == null ? SimulationProcess.shrink(options, SimulationProcess.END_LIMIT, err) : "";
    return "%s%s%s simulate %s%s --trace trace.svg"
        .formatted(
            settings(System.getenv()),
            jdk(),
            SelfCommand.name(),
            String.join(" ", options),
            reduction);
  }

  /** Returns the variables of the software DPU, which change runs. Its folder changes none. */
  static String settings(Map<String, String> environment) {
    return new TreeMap<>(environment)
        .entrySet().stream()
            .filter(one -> one.getKey().startsWith("SOFTDPU_") && !one.getValue().isEmpty())
            .filter(one -> !one.getKey().equals("SOFTDPU_DIR"))
            .map(one -> "%s='%s' ".formatted(one.getKey(), one.getValue().replace("'", "'\\''")))
            .collect(Collectors.joining());
  }

  /** An installed release has a JDK of its own. */
  private static String jdk() {
    return SelfCommand.name().contains("/")
        ? "JAVA_HOME=%s ".formatted(System.getProperty("java.home"))
        : "";
  }

  private static void table(PrintWriter out, Campaign.Result result) {
    out.printf(
        "%s: %d seeds in %.1f s (%.0f per second), %d steps, %.0f s of virtual time, hash %016x%n",
        result.scenario(),
        result.seeds(),
        result.seconds(),
        result.seeds() / Math.max(result.seconds(), 1e-9),
        result.steps(),
        result.virtualNs() / 1e9,
        result.hash());
    Coverage.others(result.reached())
        .forEach((what, count) -> out.printf("  %-32s %10d%n", what, count));
    Coverage.table(result.reached()).forEach(line -> out.printf("  %s%n", line));
    out.flush();
  }
}
