package io.dpuactors.experiments.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.dpuactors.benchmarks.measure.Child;
import io.dpuactors.benchmarks.measure.Processes;
import io.dpuactors.benchmarks.measure.Programs;
import io.dpuactors.benchmarks.measure.RunException;
import io.dpuactors.benchmarks.measure.Sample;
import io.dpuactors.benchmarks.measure.Side;
import io.dpuactors.benchmarks.measure.TrialProgram;
import io.dpuactors.experiments.run.Experiment.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Runs the trials of a plan that are not in the log yet: one after the other, the sides in turns (A
 * B A B ...). Logs failed trials as such. For one thread, except {@link #interrupt}.
 */
public final class Runner implements AutoCloseable {
  /** Number of failures of one side in a row that end the run. */
  private static final int MAX_FAILURES = 5;

  private final Plan plan;
  private final TrialLog log;
  private final Listener listener;
  private final Processes processes;
  private final List<String> warnings = new ArrayList<>();

  /**
   * The trials to run.
   *
   * @param modes one after the other
   * @param trials of each side, in each mode and row
   * @param programs of both sides
   * @param trialLimit time limit of a trial, including the start of its program
   * @param blocks file of the compression experiment
   * @param checksum expected checksum of the content, if known
   * @param logs folder for the stderr of programs
   */
  public record Plan(
      Experiment experiment,
      List<Mode> modes,
      int trials,
      Programs programs,
      Duration trialLimit,
      Path blocks,
      Optional<String> checksum,
      Path logs) {
    /** Copies the list. */
    public Plan {
      modes = List.copyOf(modes);
    }
  }

  /** Receives events of a run, on the runner's thread. */
  public interface Listener {
    /** Reports the end of a trial. */
    void onTrial(Row row, TrialLog.Slot slot, Sample sample);

    /** Reports a problem that belongs to no trial. */
    void onWarning(String what);
  }

  private Runner(Plan plan, TrialLog log, Listener listener, Processes processes) {
    this.plan = plan;
    this.log = log;
    this.listener = listener;
    this.processes = processes;
  }

  /** Creates a runner; starts no program. */
  public static Runner create(Plan plan, TrialLog log, Listener listener) throws IOException {
    return new Runner(plan, log, listener, Processes.open(plan.logs()));
  }

  /**
   * Runs all trials.
   *
   * @return problems other than failed trials
   * @throws RunException when one side fails repeatedly; the log is valid
   * @throws InterruptedException after {@link #interrupt}; the log is valid
   */
  public List<String> run() throws IOException, RunException, InterruptedException {
    for (Mode mode : plan.modes()) {
      for (Row row : plan.experiment().rows()) {
        run(mode, row);
      }
      processes.endServers();
    }
    return warnings();
  }

  private void run(Mode mode, Row row) throws IOException, RunException, InterruptedException {
    Map<Side, TrialProgram> programs = new EnumMap<>(Side.class);
    Map<Side, Integer> failures = new EnumMap<>(Side.class);
    for (Side side : Side.values()) {
      programs.put(side, program(mode, row, side));
    }
    for (int number = 1; number <= plan.trials(); number++) {
      for (Map.Entry<Side, TrialProgram> program : programs.entrySet()) {
        TrialLog.Slot slot = new TrialLog.Slot(mode, row.key(), program.getKey(), number);
        if (log.find(slot).isEmpty()) {
          Sample sample = program.getValue().run();
          processes.checkInterrupted();
          log.add(slot, sample);
          listener.onTrial(row, slot, sample);
          int before = failures.getOrDefault(slot.side(), 0);
          int inRow = sample.failure() == null ? 0 : before + 1;
          failures.put(slot.side(), inRow);
          checkFailures(row, slot.side(), inRow);
        }
      }
    }
    for (Map.Entry<Side, TrialProgram> program : programs.entrySet()) {
      finish(
          "%s, %s, %s".formatted(row.label(), mode.key(), program.getKey().label()),
          program.getValue());
    }
  }

  private TrialProgram program(Mode mode, Row row, Side side) {
    return mode == Mode.COLD
        ? TrialProgram.cold(() -> start(row, side, 1, false), this::read, plan.trialLimit())
        : TrialProgram.warm(
            () -> start(row, side, plan.trials() + 1, true), this::read, 1, plan.trialLimit());
  }

  private Child start(Row row, Side side, int trials, boolean isPaced)
      throws RunException, InterruptedException {
    Experiment experiment = plan.experiment();
    List<String> server = experiment.server(plan.programs(), side);
    if (!server.isEmpty()) {
      processes.requireServer(server, side);
    }
    List<String> words = experiment.client(plan.programs(), plan.blocks(), row, side, trials);
    if (isPaced) {
      words.add("--paced");
    }
    return processes.start(words, side, side.key() + "-client.txt", Map.of());
  }

  private Sample read(JsonNode line, double seconds) throws RunException {
    if (line.path("data_error").asBoolean()) {
      throw new RunException("the data is wrong");
    }
    String checksum = line.path("checksum").asText("(none)");
    if (plan.checksum().isPresent() && !plan.checksum().get().equals(checksum)) {
      throw new RunException(
          "the data is wrong: checksum %s instead of %s"
              .formatted(checksum, plan.checksum().get()));
    }
    double elapsedUs = Sample.figure(line, "elapsed_us");
    return new Sample(Sample.figure(line, "data_rate_gibps"), elapsedUs, null, null, null);
  }

  private static void checkFailures(Row row, Side side, int failures) throws RunException {
    if (failures >= MAX_FAILURES) {
      throw new RunException(
          "%s: %d trials of %s in a row failed; the run ends"
              .formatted(row.label(), failures, side.label()));
    }
  }

  private void finish(String what, TrialProgram program) throws InterruptedException {
    try {
      OptionalInt status = program.finish();
      if (status.isPresent()) {
        warn("%s: ended with status %d after its trials".formatted(what, status.getAsInt()));
      }
    } catch (RunException e) {
      warn(what + ": " + e.getMessage());
    }
  }

  /** Returns the problems until now, other than failed trials. On the thread of {@link #run}. */
  public List<String> warnings() {
    return List.copyOf(warnings);
  }

  private void warn(String what) {
    warnings.add(what);
    listener.onWarning(what);
  }

  /** Ends the running programs soon, and {@link #run} with them. Any thread. */
  public void interrupt() {
    processes.interrupt();
  }

  @Override
  public void close() throws IOException {
    processes.close();
  }
}
