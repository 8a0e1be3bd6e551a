package io.dpuactors.experiments.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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
  private final Stage stage;
  private final List<String> warnings = new ArrayList<>();

  /** Receives events of a run, on the runner's thread. */
  public interface Listener {
    /** Reports the end of a trial. */
    void onTrial(Mode mode, Row row, Trial trial);

    /** Reports a problem that belongs to no trial. */
    void onWarning(String what);
  }

  private Runner(Plan plan, TrialLog log, Listener listener, Stage stage) {
    this.plan = plan;
    this.log = log;
    this.listener = listener;
    this.stage = stage;
  }

  /** Creates a runner; starts no program. */
  public static Runner create(Plan plan, TrialLog log, Listener listener) throws IOException {
    Stage stage =
        Stage.open(
            plan.experiment(), plan.programs(), plan.trialLimit(), plan.checksum(), plan.logs());
    return new Runner(plan, log, listener, stage);
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
      stage.endServers();
    }
    return List.copyOf(warnings);
  }

  private void run(Mode mode, Row row) throws IOException, RunException, InterruptedException {
    List<Lane> lanes = new ArrayList<>();
    for (Side side : Side.values()) {
      lanes.add(new Lane(stage, plan.experiment(), mode, row, side, plan.trials()));
    }
    int[] failures = new int[lanes.size()];
    for (int number = 1; number <= plan.trials(); number++) {
      for (int i = 0; i < failures.length; i++) {
        if (log.find(lanes.get(i).slot(number)).isEmpty()) {
          boolean good = run(mode, row, lanes.get(i), number);
          failures[i] = good ? 0 : failures[i] + 1;
          checkFailures(failures[i], lanes.get(i), row);
        }
      }
    }
    for (Lane lane : lanes) {
      finish(mode, row, lane);
    }
  }

  private boolean run(Mode mode, Row row, Lane lane, int number)
      throws IOException, InterruptedException {
    Trial trial = lane.run(number);
    stage.checkInterrupted();
    log.add(trial);
    listener.onTrial(mode, row, trial);
    return trial.failure().isEmpty();
  }

  private static void checkFailures(int failures, Lane lane, Row row) throws RunException {
    if (failures >= MAX_FAILURES) {
      throw new RunException(
          "%s: %d trials of %s in a row failed: given up"
              .formatted(row.label(), failures, lane.side().label()));
    }
  }

  private void finish(Mode mode, Row row, Lane lane) throws InterruptedException {
    String what = "%s, %s, %s".formatted(row.label(), mode.key(), lane.side().label());
    try {
      OptionalInt status = lane.finish();
      if (status.isPresent()) {
        warn("%s: ended with status %d after its trials".formatted(what, status.getAsInt()));
      }
    } catch (RunException e) {
      warn(what + ": " + e.getMessage());
    }
  }

  private void warn(String what) {
    warnings.add(what);
    listener.onWarning(what);
  }

  /** Ends the running programs soon, and {@link #run} with them. Any thread. */
  public void interrupt() {
    stage.interrupt();
  }

  @Override
  public void close() throws IOException {
    stage.close();
  }
}
