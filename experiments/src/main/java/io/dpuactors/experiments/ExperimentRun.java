package io.dpuactors.experiments;

import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.apps.cli.Interruption;
import io.dpuactors.benchmarks.measure.Checkout;
import io.dpuactors.benchmarks.measure.Machine;
import io.dpuactors.benchmarks.measure.Programs;
import io.dpuactors.benchmarks.measure.Progress;
import io.dpuactors.benchmarks.measure.RunException;
import io.dpuactors.benchmarks.measure.RunFolder;
import io.dpuactors.benchmarks.measure.Sample;
import io.dpuactors.benchmarks.measure.Side;
import io.dpuactors.experiments.data.TestData;
import io.dpuactors.experiments.report.ReportFolder;
import io.dpuactors.experiments.report.Result;
import io.dpuactors.experiments.report.Tables;
import io.dpuactors.experiments.run.Experiment;
import io.dpuactors.experiments.run.Mode;
import io.dpuactors.experiments.run.Runner;
import io.dpuactors.experiments.run.TrialLog;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One run of an experiment, from its inputs to its report. */
final class ExperimentRun implements Runner.Listener {
  private static final String LOG = "trials.jsonl";

  /** Time limit for the end of the programs after a signal. */
  private static final Duration SIGNAL_GRACE = Duration.ofSeconds(20);

  private final Request request;
  private final PrintWriter out;
  private final Progress progress;
  private final Map<Side, String> last = new EnumMap<>(Side.class);
  private int trials;
  private int failures;

  /**
   * Options of a run.
   *
   * @param trialsGiven whether the user gave a number; else a resumed run keeps its number
   * @param modesGiven whether the user gave modes; else a resumed run keeps its modes
   * @param out empty: a folder of the checkout
   * @param trialLimit time limit of a trial
   */
  record Request(
      Experiment experiment,
      int trials,
      boolean trialsGiven,
      List<Mode> modes,
      boolean modesGiven,
      boolean resume,
      @Nullable Path out,
      Duration trialLimit) {}

  /** The options do not fit the existing files. */
  static final class WrongUse extends Exception {
    private static final long serialVersionUID = 1;

    WrongUse(String message) {
      super(message);
    }
  }

  ExperimentRun(Request request, PrintWriter out, PrintWriter err) {
    this.request = request;
    this.out = out;
    this.progress = new Progress(err);
    this.trials = request.trials();
  }

  ExitCode run()
      throws IOException, RunException, WrongUse, RunFolder.Unusable, InterruptedException {
    Checkout checkout = Checkout.find();
    double load = Machine.load();
    String name = request.experiment().key();
    RunFolder folders = new RunFolder(checkout.results(name), LOG);
    Path folder = request.resume() ? folders.resume(request.out()) : folders.create(request.out());
    Programs programs = checkout.programs();
    Map<String, String> parameters = new LinkedHashMap<>(Machine.describe(programs.dpu()));
    parameters.put("experiment", name);
    Optional<TestData> data = Optional.empty();
    if (request.experiment() == Experiment.COMPRESSION) {
      data = Optional.of(testData(checkout.root().resolve("experiments/target/data")));
      parameters.put("input SHA-256", data.get().sha256());
    }
    progress.warnIfBusy(load);
    try (TrialLog log = openLog(folder.resolve(LOG), parameters, load)) {
      trials = trials(log);
      return run(
          new Runner.Plan(
              request.experiment(),
              modes(log),
              trials,
              request.experiment().isBrief() ? programs.brief() : programs,
              request.trialLimit(),
              data.map(TestData::file).orElse(Path.of("/dev/null")),
              data.map(TestData::checksum),
              folder.resolve("stderr")),
          log,
          folder);
    }
  }

  /** Generates the data if it is missing. A signal deletes an incomplete file. */
  private TestData testData(Path folder) throws IOException, InterruptedException {
    Interruption interruption = Interruption.of(Thread.currentThread()::interrupt, SIGNAL_GRACE);
    try {
      TestData data = TestData.obtain(TestData.PUBLISHED, folder, progress::show);
      if (Thread.interrupted()) {
        throw new InterruptedException("interrupted");
      }
      return data;
    } catch (ClosedByInterruptException e) {
      throw (InterruptedException) new InterruptedException("interrupted").initCause(e);
    } finally {
      progress.clear();
      interruption.over();
    }
  }

  /** The log records the first parameters, which must not change. A refused log stays as it is. */
  TrialLog openLog(Path file, Map<String, String> parameters, double load)
      throws IOException, WrongUse {
    if (!request.resume()) {
      parameters.put("trials wanted", Integer.toString(request.trials()));
      parameters.put(
          "modes wanted", String.join(" ", request.modes().stream().map(Mode::key).toList()));
      parameters.put("begun", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
      return TrialLog.create(file, parameters, load);
    }
    TrialLog log = TrialLog.open(file);
    try {
      checkUnchanged(file, log, parameters);
      log.resume(load);
      return log;
    } catch (IOException | WrongUse e) {
      log.close();
      throw e;
    }
  }

  private static void checkUnchanged(Path file, TrialLog log, Map<String, String> parameters)
      throws WrongUse {
    for (Map.Entry<String, String> now : parameters.entrySet()) {
      String before = log.parameters().get(now.getKey());
      if (!Objects.equals(before, now.getValue())) {
        throw new WrongUse(
            "--resume: %s was begun with %s '%s', and now it is '%s'"
                .formatted(file, now.getKey(), before, now.getValue()));
      }
    }
  }

  private List<Mode> modes(TrialLog log) {
    String before = log.parameters().getOrDefault("modes wanted", "");
    List<String> keys = List.of(before.split(" ", -1));
    return request.modesGiven() || before.isEmpty()
        ? request.modes()
        : Stream.of(Mode.values()).filter(mode -> keys.contains(mode.key())).toList();
  }

  private int trials(TrialLog log) {
    String before = log.parameters().getOrDefault("trials wanted", "");
    return request.trialsGiven() || before.isEmpty() ? request.trials() : Integer.parseInt(before);
  }

  /** Runs the trials that the log lacks, and writes the report. */
  ExitCode run(Runner.Plan plan, TrialLog log, Path folder)
      throws IOException, RunException, InterruptedException {
    List<String> warnings = new ArrayList<>();
    Runner runner = Runner.create(plan, log, this);
    Interruption interruption = Interruption.of(runner::interrupt, SIGNAL_GRACE);
    try (runner) {
      warnings.addAll(runner.run());
    } catch (RunException e) {
      warnings.addAll(runner.warnings());
      warnings.add(String.valueOf(e.getMessage()));
      onWarning(e.getMessage() + " (--resume continues the run)");
    } catch (InterruptedException e) {
      onWarning("interrupted; --resume continues the run: " + folder);
      return ExitCode.FAILURE;
    } finally {
      interruption.over();
    }
    progress.clear();
    Result result = Result.of(plan.experiment(), plan.modes(), plan.trials(), log, warnings);
    Path report = ReportFolder.write(result, folder);
    Tables.print(out, result);
    out.println("Report: " + display(report));
    return result.isGood() ? ExitCode.OK : ExitCode.FAILURE;
  }

  private static Path display(Path report) {
    Path here = Path.of("").toAbsolutePath();
    Path absolute = report.toAbsolutePath().normalize();
    return absolute.startsWith(here) && Files.exists(absolute)
        ? here.relativize(absolute)
        : absolute;
  }

  @Override
  public void onTrial(Experiment.Row row, TrialLog.Slot slot, Sample sample) {
    failures += sample.failure() == null ? 0 : 1;
    last.put(
        slot.side(), sample.value() == null ? "failed" : "%.3f GiB/s".formatted(sample.value()));
    progress.show(
        "%s, %s: trial %d of %d, actors %s, plain C %s%s"
            .formatted(
                row.label(),
                slot.mode().key(),
                slot.number(),
                trials,
                last.getOrDefault(Side.ACTORS, "-"),
                last.getOrDefault(Side.PLAIN, "-"),
                failures == 0 ? "" : ", " + failures + " failed"));
  }

  @Override
  public void onWarning(String what) {
    progress.print("dpu: " + what);
  }
}
