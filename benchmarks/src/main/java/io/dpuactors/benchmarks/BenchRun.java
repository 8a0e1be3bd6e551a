package io.dpuactors.benchmarks;

import io.dpuactors.benchmarks.report.Plots;
import io.dpuactors.benchmarks.report.Screen;
import io.dpuactors.benchmarks.result.ResultFolder;
import io.dpuactors.benchmarks.result.RunResult;
import io.dpuactors.benchmarks.run.Bench;
import io.dpuactors.benchmarks.run.Programs;
import io.dpuactors.benchmarks.run.Scenario;
import io.dpuactors.experiments.Checkout;
import io.dpuactors.experiments.Machine;
import io.dpuactors.experiments.report.ChartFiles;
import io.dpuactors.experiments.run.RunException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs scenarios and writes their results into a folder. */
final class BenchRun {
  private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

  private final Checkout checkout;
  private final int trials;
  private final boolean quick;
  private final Path folder;
  private final PrintWriter progress;

  BenchRun(Checkout checkout, int trials, boolean quick, Optional<Path> out, PrintWriter progress) {
    this.checkout = checkout;
    this.trials = trials;
    this.quick = quick;
    this.folder =
        out.orElseGet(
            () -> results(checkout).resolve(ZonedDateTime.now(ZoneOffset.UTC).format(STAMP)));
    this.progress = progress;
  }

  /** Returns the default folder of results. */
  static Path results(Checkout checkout) {
    return checkout.root().resolve("benchmarks").resolve("results");
  }

  /** Runs the scenarios. Returns whether all succeeded. */
  boolean run(List<Scenario> scenarios, PrintWriter out)
      throws RunException, IOException, InterruptedException {
    Programs programs = new Programs(Checkout.dpu(), checkout.buildPlainC());
    Path logs = Files.createDirectories(folder.resolve("logs")).toAbsolutePath();
    Bench bench =
        new Bench(checkout.root(), programs, trials, quick, logs, line -> progress.println(line));
    Map<String, String> environment = Machine.describe(programs.dpu());
    boolean good = true;
    for (Scenario scenario : scenarios) {
      double load = Machine.load();
      if (load >= Runtime.getRuntime().availableProcessors()) {
        progress.printf("others are at work on this machine (load %.1f): expect a spread%n", load);
      }
      RunResult result =
          new RunResult(
              scenario.name(),
              scenario.title(),
              "software DPU",
              environment,
              load,
              scenario.work().run(bench));
      ResultFolder.of(folder).write(result);
      ChartFiles plots = ChartFiles.in(folder.resolve("plots"));
      Plots.write(result, plots);
      plots.missing().forEach((plot, why) -> progress.printf("no plot %s: %s%n", plot, why));
      Screen.print(out, result);
      good &= result.isGood();
    }
    out.println("results: " + folder);
    return good;
  }
}
