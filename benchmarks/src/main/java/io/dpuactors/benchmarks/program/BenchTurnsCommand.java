package io.dpuactors.benchmarks.program;

import io.dpuactors.apps.Subcommand;
import io.dpuactors.apps.channel.TrialOptions;
import io.dpuactors.apps.cli.CliCommand;
import io.dpuactors.apps.cli.CommonOptions;
import io.dpuactors.apps.cli.Configuration;
import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.benchmarks.load.LoadSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code dpu bench-turns}: measures the turns of an engine that has idle connections. */
@Command(
    name = "bench-turns",
    hidden = true,
    sortOptions = false,
    header = {"Measure the turns of an engine that has idle connections.", ""},
    description = {"", "Prints one line of JSON per trial."})
public final class BenchTurnsCommand extends CliCommand implements Subcommand {
  @Option(
      names = "--role",
      paramLabel = "server|clients",
      required = true,
      description = "The side of the connections that this process has.")
  private String role = "";

  @Option(names = "--rdma", description = "Connections of RDMA instead of comch.")
  private boolean isRdma;

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "Number of clients. If fewer can be connected, the program uses these.")
  private int count;

  @Option(names = "--seconds", paramLabel = "S", description = "Length of a trial. Default: 2.")
  private int seconds = 2;

  @Mixin private TrialOptions trials = new TrialOptions();

  @Mixin private CommonOptions common = new CommonOptions();

  /** For the service loader. */
  public BenchTurnsCommand() {}

  @Override
  public Integer call() throws Exception {
    common.apply();
    if (!role.equals("server") && !role.equals("clients")) {
      throw wrongUse("--role is server or clients");
    }
    try (LoadSystem system = LoadSystem.start(Configuration.load(), 1)) {
      TurnTrial trial =
          role.equals("server")
              ? TurnTrial.server(system, isRdma)
              : TurnTrial.clients(system, count, isRdma);
      for (int i = 0; trials.begins(i); i++) {
        line().getOut().println(trial.run(seconds));
      }
      return ExitCode.OK.status();
    } catch (IllegalStateException e) {
      return fail(e.getMessage(), ExitCode.FAILURE).status();
    }
  }
}
