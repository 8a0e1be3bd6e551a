package io.dpuactors.benchmarks;

import io.dpuactors.apps.Subcommand;
import io.dpuactors.apps.cli.CommandGroup;
import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.apps.cli.HelpOption;
import io.dpuactors.benchmarks.measure.Checkout;
import io.dpuactors.benchmarks.measure.Progress;
import io.dpuactors.benchmarks.measure.RunException;
import io.dpuactors.benchmarks.result.ResultFolder;
import io.dpuactors.benchmarks.result.RunResult;
import io.dpuactors.benchmarks.result.Screen;
import io.dpuactors.benchmarks.result.Targets;
import io.dpuactors.benchmarks.run.Scenario;
import io.dpuactors.benchmarks.run.Scenarios;
import io.dpuactors.benchmarks.soak.SoakCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** The command {@code dpu bench}. */
@Command(
    name = "bench",
    subcommands = SoakCommand.class,
    sortOptions = false,
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    header = {"Measure what the actors cost, against plain C.", ""},
    description = {
      "",
      "Runs scenarios, both sides in turns, and writes JSON, TSV and plots. On the software DPU: figures compare programs, not hardware.",
      ""
    },
    exitCodeListHeading = "%nExit status (1 also when trials failed, or a target is missed):%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu bench list                             lists the measurements",
      "  dpu bench run null-task ping --trials 31   two scenarios, 31 pairs each",
      "  dpu bench run all --quick                  whether all works, in minutes",
      "  dpu bench report                           tables of the newest run, targets"
    })
public final class BenchCommand extends CommandGroup implements Subcommand {
  private static final int DEFAULT_TRIALS = 15;
  private static final int QUICK_TRIALS = 2;
  private static final int MAX_TRIALS = 10_000;

  /** The service loader calls this constructor. */
  public BenchCommand() {}

  @Command(name = "list", description = "List the measurements.")
  int list(@Mixin HelpOption help) {
    PrintWriter out = line().getOut();
    Scenarios.all().forEach(s -> out.printf("%-16s %s%n", s.name(), s.title()));
    return ExitCode.OK.status();
  }

  @Command(name = "run", description = "Run scenarios, one after the other.")
  int run(
      @Parameters(
              paramLabel = "NAME",
              arity = "1..*",
              description = "From the list, or 'all': all except the grids.")
          List<String> names,
      @Option(names = "--trials", paramLabel = "N", description = "Pairs of trials. Default: 15.")
          @Nullable Integer trials,
      @Option(
              names = "--quick",
              description = "Few and short measurements, which only test the programs.")
          boolean quick,
      @Option(
              names = {"-o", "--out"},
              paramLabel = "DIR",
              description = "Folder for results. Default: a new one in benchmarks/results.")
          @Nullable Path out,
      @Mixin HelpOption help)
      throws IOException, InterruptedException {
    if (trials != null && (trials < 1 || trials > MAX_TRIALS)) {
      throw wrongRun("--trials %d is out of range: from 1 to %d".formatted(trials, MAX_TRIALS));
    }
    int wanted = trials != null ? trials : quick ? QUICK_TRIALS : DEFAULT_TRIALS;
    List<Scenario> scenarios = scenarios(names);
    return status(
        () -> {
          Checkout checkout = Checkout.find();
          Path folder = out != null ? out : BenchRun.folders(checkout).next();
          Progress progress = new Progress(line().getErr());
          return BenchRun.run(
              checkout, scenarios, wanted, quick, folder, line().getOut(), progress);
        });
  }

  /** A part of a command. */
  private interface Step {
    /** Returns whether all went well. */
    boolean run() throws RunException, IOException, InterruptedException;
  }

  private int status(Step step) throws IOException, InterruptedException {
    try {
      return (step.run() ? ExitCode.OK : ExitCode.FAILURE).status();
    } catch (RunException e) {
      return fail(e.getMessage(), ExitCode.FAILURE).status();
    }
  }

  private List<Scenario> scenarios(List<String> names) {
    List<Scenario> scenarios = new ArrayList<>();
    for (String name : names) {
      if (name.equals("all")) {
        Scenarios.all().stream().filter(s -> !s.name().startsWith("grid")).forEach(scenarios::add);
      } else {
        scenarios.add(
            Scenarios.find(name)
                .orElseThrow(
                    () -> wrongRun("'" + name + "' is no scenario: 'dpu bench list' shows them")));
      }
    }
    return scenarios;
  }

  private ParameterException wrongRun(String why) {
    return new ParameterException(line().getSubcommands().get("run"), why);
  }

  @Command(name = "report", description = "Show tables of a run, and which targets are met.")
  int report(
      @Parameters(
              paramLabel = "DIR",
              arity = "0..1",
              description = "Of a run. Default: the newest with results in benchmarks/results.")
          @Nullable Path folder,
      @Mixin HelpOption help)
      throws IOException, InterruptedException {
    return status(
        () -> {
          Checkout checkout = Checkout.find();
          List<RunResult> results = results(folder != null ? folder : newest(checkout));
          PrintWriter out = line().getOut();
          results.forEach(result -> Screen.print(out, result));
          return Targets.print(out, results, checkout.root().resolve("experiments"));
        });
  }

  private static List<RunResult> results(Path run) throws RunException, IOException {
    if (!Files.isDirectory(run)) {
      throw new RunException(run + ": is no folder of results");
    }
    List<RunResult> results = ResultFolder.read(run);
    if (results.isEmpty()) {
      throw new RunException(run + ": has no results");
    }
    return results;
  }

  private static Path newest(Checkout checkout) throws RunException, IOException {
    return BenchRun.folders(checkout)
        .newest(ResultFolder::hasResults)
        .orElseThrow(() -> new RunException("no run has results yet: see dpu bench run --help"));
  }
}
