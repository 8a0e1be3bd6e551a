package io.dpuactors.benchmarks;

import io.dpuactors.benchmarks.measure.Checkout;
import io.dpuactors.benchmarks.measure.Machine;
import io.dpuactors.benchmarks.measure.Processes;
import io.dpuactors.benchmarks.measure.Programs;
import io.dpuactors.benchmarks.measure.Progress;
import io.dpuactors.benchmarks.measure.RunException;
import io.dpuactors.benchmarks.measure.RunFolder;
import io.dpuactors.benchmarks.report.ChartFiles;
import io.dpuactors.benchmarks.result.Plots;
import io.dpuactors.benchmarks.result.ResultFolder;
import io.dpuactors.benchmarks.result.RunResult;
import io.dpuactors.benchmarks.result.Screen;
import io.dpuactors.benchmarks.run.Bench;
import io.dpuactors.benchmarks.run.Scenario;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs scenarios and writes their results into a folder. */
final class BenchRun {
  /** Every run has a folder of this name. */
  private static final String LOGS = "logs";

  private BenchRun() {}

  /** Returns the folders of runs. */
  static RunFolder folders(Checkout checkout) {
    return new RunFolder(checkout.results(), LOGS);
  }

  /** Runs the scenarios. Returns whether all succeeded. */
  static boolean run(
      Checkout checkout,
      List<Scenario> scenarios,
      int trials,
      boolean quick,
      Path folder,
      PrintWriter out,
      Progress progress)
      throws RunException, IOException, InterruptedException {
    double load = Machine.load();
    progress.warnIfBusy(load);
    Programs programs = checkout.programs();
    Path logs = Files.createDirectories(folder.resolve(LOGS)).toAbsolutePath();
    try (Processes processes = Processes.open(logs)) {
      Bench bench = new Bench(checkout.root(), programs, trials, quick, logs, processes, progress);
      return run(bench, scenarios, load, folder, out);
    }
  }

  /**
   * Runs the scenarios with existing programs. Returns whether all succeeded.
   *
   * @param load of the machine before the run, whose programs are part of every later load
   */
  static boolean run(
      Bench bench, List<Scenario> scenarios, double load, Path folder, PrintWriter out)
      throws RunException, IOException, InterruptedException {
    Map<String, String> environment = Machine.describe(bench.programs().dpu());
    boolean good = true;
    for (Scenario scenario : scenarios) {
      RunResult result =
          new RunResult(
              scenario.name(),
              scenario.title(),
              "software DPU",
              bench.quick(),
              environment,
              load,
              scenario.work().run(bench));
      ResultFolder.write(folder, result);
      ChartFiles plots = ChartFiles.in(folder.resolve("plots"));
      Plots.write(result, plots);
      plots
          .missing()
          .forEach((plot, why) -> bench.progress().print("no plot " + plot + ": " + why));
      Screen.print(out, result);
      good &= result.isGood();
    }
    out.println("results: " + folder);
    return good;
  }
}
