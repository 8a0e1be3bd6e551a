package io.dpuactors.benchmarks;

import io.dpuactors.apps.cli.Interruption;
import io.dpuactors.benchmarks.measure.Checkout;
import io.dpuactors.benchmarks.measure.Machine;
import io.dpuactors.benchmarks.measure.Processes;
import io.dpuactors.benchmarks.measure.Programs;
import io.dpuactors.benchmarks.measure.Progress;
import io.dpuactors.benchmarks.measure.RunException;
import io.dpuactors.benchmarks.measure.RunFolder;
import io.dpuactors.benchmarks.report.ChartFiles;
import io.dpuactors.benchmarks.result.Plots;
import io.dpuactors.benchmarks.result.PointResult;
import io.dpuactors.benchmarks.result.ResultFolder;
import io.dpuactors.benchmarks.result.RunResult;
import io.dpuactors.benchmarks.result.Screen;
import io.dpuactors.benchmarks.run.Bench;
import io.dpuactors.benchmarks.run.Scenario;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Runs scenarios and writes their results into a folder. */
final class BenchRun {
  /** Every run has a folder of this name. */
  private static final String LOGS = "logs";

  /** Time limit for the end of the programs, and for the deletion of files, after a signal. */
  private static final Duration SIGNAL_GRACE = Duration.ofSeconds(20);

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
    Path logs = Files.createDirectories(folder.resolve(LOGS)).toAbsolutePath();
    double load = Machine.load();
    progress.warnIfBusy(load);
    Programs programs = checkout.programs();
    Processes processes = Processes.open(logs);
    Interruption interruption = Interruption.of(() -> interrupt(processes), SIGNAL_GRACE);
    try (processes) {
      Bench bench = new Bench(checkout.root(), programs, trials, quick, logs, processes, progress);
      return run(bench, scenarios, load, folder, out);
    } catch (InterruptedException e) {
      progress.print("dpu: interrupted; results of complete scenarios: " + folder);
      return false;
    } finally {
      interruption.over();
    }
  }

  /** Ends all child processes, with those that JMH started. */
  private static void interrupt(Processes processes) {
    processes.interrupt();
    ProcessHandle.current().children().forEach(ProcessHandle::destroy);
  }

  /**
   * Runs the scenarios with existing programs. Returns whether all succeeded.
   *
   * @param load of the machine before the run, whose programs are part of every later load
   * @throws InterruptedException after the interruption of the processes, without a result of the
   *     interrupted scenario
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
              measure(scenario, bench));
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

  private static List<PointResult> measure(Scenario scenario, Bench bench)
      throws RunException, IOException, InterruptedException {
    try {
      List<PointResult> points = scenario.work().run(bench);
      bench.processes().checkInterrupted();
      return points;
    } catch (RunException e) {
      bench.processes().checkInterrupted();
      throw e;
    }
  }
}
