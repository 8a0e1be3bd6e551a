package io.dpuactors.experiments;

import io.dpuactors.apps.ExitCode;
import io.dpuactors.experiments.data.TestData;
import io.dpuactors.experiments.report.ReportFolder;
import io.dpuactors.experiments.report.Result;
import io.dpuactors.experiments.report.Screen;
import io.dpuactors.experiments.run.Experiment;
import io.dpuactors.experiments.run.Mode;
import io.dpuactors.experiments.run.Plan;
import io.dpuactors.experiments.run.Programs;
import io.dpuactors.experiments.run.RunException;
import io.dpuactors.experiments.run.Runner;
import io.dpuactors.experiments.run.TrialLog;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One run of an experiment, from its inputs to its report. */
final class ExperimentRun {
  private static final String LOG = "trials.jsonl";

  private final Request request;
  private final PrintWriter out;
  private final PrintWriter err;

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
    this.err = err;
  }

  ExitCode run() throws IOException, RunException, WrongUse, InterruptedException {
    Checkout checkout = Checkout.find();
    double load = Machine.load();
    Folder folder =
        Folder.choose(
            request.out(), checkout.results(request.experiment().key()), LOG, request.resume());
    List<String> dpu = Checkout.dpu();
    Map<String, String> parameters = new LinkedHashMap<>(Machine.describe(dpu));
    parameters.put("experiment", request.experiment().key());
    Path plain = checkout.buildPlainC();
    Display display = new Display(err, request.trials());
    Optional<TestData> data = Optional.empty();
    if (request.experiment() == Experiment.COMPRESSION) {
      data = Optional.of(TestData.obtain(TestData.PUBLISHED, checkout.data(), display));
      parameters.put("input SHA-256", data.get().sha256());
    }
    display.clear();
    if (load >= Runtime.getRuntime().availableProcessors()) {
      display.say(
          "others are at work on this machine (load %.1f): expect a wide spread".formatted(load));
    }
    Programs programs =
        Programs.create(
            Checkout.brief(dpu), plain, data.map(TestData::file).orElse(Path.of("/dev/null")));
    try (TrialLog log = openLog(folder, parameters, load)) {
      List<Mode> modes = modes(log);
      int trials = trials(log);
      Plan plan =
          new Plan(
              request.experiment(),
              modes,
              trials,
              programs,
              request.trialLimit(),
              data.map(TestData::checksum),
              folder.path().resolve("stderr"));
      return run(plan, log, folder.path(), new Display(err, trials));
    }
  }

  /** The log records the first parameters, which must not change. */
  private TrialLog openLog(Folder folder, Map<String, String> parameters, double load)
      throws IOException, WrongUse {
    Path file = folder.path().resolve(LOG);
    if (!request.resume()) {
      parameters.put("trials wanted", Integer.toString(request.trials()));
      parameters.put("modes wanted", modeKeys(request.modes()));
      parameters.put("begun", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
      return TrialLog.create(file, parameters, load);
    }
    TrialLog log = TrialLog.resume(file, load);
    for (Map.Entry<String, String> now : parameters.entrySet()) {
      String before = log.parameters().get(now.getKey());
      if (!Objects.equals(before, now.getValue())) {
        log.close();
        throw new WrongUse(
            "--resume: %s was begun with %s '%s', and now it is '%s'"
                .formatted(file, now.getKey(), before, now.getValue()));
      }
    }
    return log;
  }

  private static String modeKeys(List<Mode> modes) {
    return String.join(" ", modes.stream().map(Mode::key).toList());
  }

  private List<Mode> modes(TrialLog log) {
    String before = log.parameters().getOrDefault("modes wanted", "");
    if (request.modesGiven() || before.isEmpty()) {
      return request.modes();
    }
    List<Mode> modes = new ArrayList<>();
    for (Mode mode : Mode.values()) {
      if (List.of(before.split(" ", -1)).contains(mode.key())) {
        modes.add(mode);
      }
    }
    return modes;
  }

  private int trials(TrialLog log) {
    String before = log.parameters().getOrDefault("trials wanted", "");
    return request.trialsGiven() || before.isEmpty() ? request.trials() : Integer.parseInt(before);
  }

  private ExitCode run(Plan plan, TrialLog log, Path folder, Display display)
      throws IOException, RunException, InterruptedException {
    List<String> warnings = new ArrayList<>();
    Runner runner = Runner.create(plan, log, display);
    Interruption interruption = Interruption.of(runner::interrupt);
    try (runner) {
      warnings.addAll(runner.run());
    } catch (RunException e) {
      warnings.add(String.valueOf(e.getMessage()));
      display.say(e.getMessage() + " (--resume goes on)");
    } catch (InterruptedException e) {
      display.say("interrupted; --resume goes on: " + folder);
      return ExitCode.FAILURE;
    } finally {
      interruption.over();
    }
    display.clear();
    Result result = Result.of(plan.experiment(), plan.modes(), plan.trials(), log, warnings);
    Path report = ReportFolder.write(result, folder);
    Screen.print(out, result);
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
}
