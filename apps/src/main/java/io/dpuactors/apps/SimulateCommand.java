package io.dpuactors.apps;

import com.fasterxml.jackson.core.JsonGenerator;
import io.dpuactors.simulation.Campaign;
import io.dpuactors.simulation.Outcome;
import io.dpuactors.simulation.Simulator;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code dpu simulate}. */
@Command(
    name = "simulate",
    sortOptions = false,
    header = {"Run actors, engines and the software DPU on virtual time, from seeds.", ""},
    description = {
      "",
      "Each seed gives one order of all messages, device events, timers and faults. The command stops at the first seed that "
          + "breaks a promise, and prints the command that replays it.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu simulate --seeds 1000                      1000 seeds of each scenario",
      "  dpu simulate --scenario dma --seed 7 --trace trace.txt"
    })
final class SimulateCommand implements Callable<Integer> {
  private static final String ALL = "all";

  @Mixin HelpOption help = new HelpOption();

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--scenario",
      paramLabel = "NAME",
      defaultValue = ALL,
      description = "compress, dma, comch, or all. Default: ${DEFAULT-VALUE}.")
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
      names = "--time",
      paramLabel = "SECONDS",
      description = "Begin no seed after this time. Default: no limit.")
  private @Nullable Integer time;

  @Option(names = "--seed", paramLabel = "S", description = "Run this seed only.")
  private @Nullable Long seed;

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description = "Write each step of each seed to a file.")
  private @Nullable Path trace;

  @Option(names = "--json", description = "Print the results as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    check();
    List<String> scenarios = scenario.equals(ALL) ? Simulator.scenarios() : List.of(scenario);
    OptionalLong limitNs =
        time == null ? OptionalLong.empty() : OptionalLong.of(Duration.ofSeconds(time).toNanos());
    Campaign campaign = new Campaign(limitNs);
    for (String name : scenarios) {
      Campaign.Result result = run(campaign, name);
      print(result);
      if (result.failure().isPresent()) {
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
    if (seeds < 1) {
      throw wrongUse("--seeds %d: it must be at least 1".formatted(seeds));
    }
    if (time != null && time < 1) {
      throw wrongUse("--time %d: it must be at least 1".formatted(time));
    }
    if (seed != null && scenario.equals(ALL)) {
      throw wrongUse("--seed needs --scenario NAME");
    }
    if (trace != null && scenario.equals(ALL)) {
      throw wrongUse("--trace needs --scenario NAME");
    }
  }

  private ParameterException wrongUse(String why) {
    return new ParameterException(spec().commandLine(), why);
  }

  private CommandSpec spec() {
    if (spec == null) {
      throw new IllegalStateException("the command line sets spec");
    }
    return spec;
  }

  private Campaign.Result run(Campaign campaign, String name) throws IOException {
    long first = seed == null ? from : seed;
    long count = seed == null ? seeds : 1;
    if (trace == null) {
      return campaign.run(name, first, count);
    }
    try (PrintWriter lines = new PrintWriter(Files.newBufferedWriter(trace))) {
      return campaign.trace(name, first, count, lines::println);
    }
  }

  private void print(Campaign.Result result) throws IOException {
    PrintWriter out = spec().commandLine().getOut();
    if (json) {
      json(out, result);
    } else {
      table(out, result);
    }
    if (result.failure().isPresent()) {
      Outcome failed = result.failure().get();
      PrintWriter err = spec().commandLine().getErr();
      err.printf(
          "dpu: simulation \"%s\", seed %d: %s%n",
          failed.scenario(), failed.seed(), failed.problem().orElse(""));
      err.printf("replay: %s%n", replay(failed));
    }
  }

  /** Returns a command that repeats the failed seed. A run depends on the JDK. */
  private static String replay(Outcome failed) {
    return "JAVA_HOME=%s ./dpu simulate --scenario %s --seed %d --trace trace.txt"
        .formatted(System.getProperty("java.home"), failed.scenario(), failed.seed());
  }

  private static void table(PrintWriter out, Campaign.Result result) {
    out.printf(
        "%s: %d seeds in %.1f s (%.0f per second), %d steps, %.0f s of virtual time, hash %016x%n",
        result.scenario(),
        result.seeds(),
        result.seconds(),
        result.seeds() / result.seconds(),
        result.steps(),
        result.virtualNs() / 1e9,
        result.hash());
    result.reached().forEach((what, count) -> out.printf("  %-32s %10d%n", what, count));
    out.flush();
  }

  private static void json(PrintWriter out, Campaign.Result result) throws IOException {
    try (JsonGenerator json = JsonReport.generator(out)) {
      json.writeStartObject();
      json.writeStringField("scenario", result.scenario());
      json.writeNumberField("seeds", result.seeds());
      json.writeNumberField("seconds", result.seconds());
      json.writeNumberField("steps", result.steps());
      json.writeStringField("hash", "%016x".formatted(result.hash()));
      json.writeObjectFieldStart("reached");
      for (Map.Entry<String, Long> reached : result.reached().entrySet()) {
        json.writeNumberField(reached.getKey(), reached.getValue());
      }
      json.writeEndObject();
      if (result.failure().isPresent()) {
        Outcome failed = result.failure().get();
        json.writeObjectFieldStart("failure");
        json.writeNumberField("seed", failed.seed());
        json.writeStringField("problem", failed.problem().orElse(""));
        json.writeStringField("replay", replay(failed));
        json.writeEndObject();
      }
      json.writeEndObject();
    }
    out.println();
  }
}
