package io.dpuactors.experiments.run;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The trials of one side in one mode and row, one at a time. In warm mode it keeps the process
 * between trials. For one thread.
 */
final class Lane {
  /** A program stops its device after its last trial. */
  private static final Duration END_LIMIT = Duration.ofSeconds(60);

  private final Stage stage;
  private final Experiment experiment;
  private final Mode mode;
  private final Row row;
  private final Side side;
  private final int trials;
  private @Nullable Child warm;

  Lane(Stage stage, Experiment experiment, Mode mode, Row row, Side side, int trials) {
    this.stage = stage;
    this.experiment = experiment;
    this.mode = mode;
    this.row = row;
    this.side = side;
    this.trials = trials;
  }

  Side side() {
    return side;
  }

  Trial.Slot slot(int number) {
    return new Trial.Slot(mode, row.key(), side, number);
  }

  /** Runs a trial. Its result contains a failure; the next trial then gets a new process. */
  Trial run(int number) throws InterruptedException {
    try {
      Measurement measured = mode == Mode.COLD ? runCold() : runWarm();
      return Trial.done(slot(number), measured.elapsedUs(), measured.rateGibps());
    } catch (RunException e) {
      stage.end(warm);
      warm = null;
      return Trial.failed(slot(number), String.valueOf(e.getMessage()));
    }
  }

  private Measurement runCold() throws RunException, InterruptedException {
    Child child = start(1, false);
    try {
      Measurement measured = next(child);
      int status = child.finish(END_LIMIT);
      if (status != 0) {
        throw new RunException("ended with status " + status + child.complaint());
      }
      return measured;
    } finally {
      stage.end(child);
    }
  }

  private Measurement runWarm() throws RunException, InterruptedException {
    Child child = warm;
    if (child == null) {
      child = start(trials + 1, true);
      warm = child;
      takeTurn(child);
    }
    return takeTurn(child);
  }

  private Measurement takeTurn(Child child) throws RunException, InterruptedException {
    child.giveTurn();
    return next(child);
  }

  private Child start(int count, boolean paced) throws RunException, InterruptedException {
    stage.requireServer(side);
    List<String> command = stage.programs().client(experiment, row, side, count, paced);
    return stage.start(command, side, "client");
  }

  /** Skips other lines that a program prints, which are no JSON. */
  private Measurement next(Child child) throws RunException, InterruptedException {
    long untilNs = System.nanoTime() + stage.trialLimit().toNanos();
    while (true) {
      Optional<String> line =
          child.nextLine(Duration.ofNanos(Math.max(0, untilNs - System.nanoTime())));
      if (line.isEmpty()) {
        throw new RunException(
            "ended without a result, with status " + child.finish(END_LIMIT) + child.complaint());
      }
      if (line.get().startsWith("{")) {
        return Measurement.parse(line.get(), stage.checksum());
      }
    }
  }

  /**
   * Lets a warm process end in order.
   *
   * @return its status, if there was a process and the status is not 0
   */
  OptionalInt finish() throws RunException, InterruptedException {
    Child child = warm;
    warm = null;
    if (child == null) {
      return OptionalInt.empty();
    }
    try {
      int status = child.finish(END_LIMIT);
      return status == 0 ? OptionalInt.empty() : OptionalInt.of(status);
    } finally {
      stage.end(child);
    }
  }
}
