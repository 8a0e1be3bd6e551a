package io.dpuactors.experiments;

import io.dpuactors.apps.Terminal;
import io.dpuactors.experiments.data.TestData;
import io.dpuactors.experiments.run.Mode;
import io.dpuactors.experiments.run.Row;
import io.dpuactors.experiments.run.Runner;
import io.dpuactors.experiments.run.Side;
import io.dpuactors.experiments.run.Trial;
import java.io.PrintWriter;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Shows the progress in one line on a terminal. On other outputs, shows only errors. */
final class Display implements Runner.Listener, TestData.Progress {
  /** Moves to the first column and erases the line. */
  private static final String NEW_LINE = "\r\u001b[K";

  private final PrintWriter err;
  private final boolean shows;
  private final int trials;
  private final Map<Side, String> last = new EnumMap<>(Side.class);
  private int failures;

  Display(PrintWriter err, int trials) {
    this.err = err;
    this.trials = trials;
    shows = Terminal.showsProgress();
  }

  @Override
  public void on(String what, int done, int of) {
    show("%s the test data: %d of %d".formatted(what, done, of));
  }

  @Override
  public void onTrial(Mode mode, Row row, Trial trial) {
    if (trial.failure().isPresent()) {
      failures++;
    }
    last.put(
        trial.slot().side(),
        trial.failure().isPresent()
            ? "failed"
            : String.format(Locale.ROOT, "%.3f GiB/s", trial.rateGibps()));
    show(
        "%s, %s: trial %d of %d, actors %s, plain C %s%s"
            .formatted(
                row.label(),
                mode.key(),
                trial.slot().number(),
                trials,
                last.getOrDefault(Side.ACTORS, "-"),
                last.getOrDefault(Side.PLAIN, "-"),
                failures == 0 ? "" : ", " + failures + " failed"));
  }

  @Override
  public void onWarning(String what) {
    say(what);
  }

  /** Prints a line that stays. */
  void say(String what) {
    clear();
    err.println("dpu: " + what);
  }

  private void show(String what) {
    if (shows) {
      int columns = Terminal.columns();
      err.print(NEW_LINE + (what.length() < columns ? what : what.substring(0, columns - 1)));
      err.flush();
    }
  }

  /** Clears the line for the next output. */
  void clear() {
    if (shows) {
      err.print(NEW_LINE);
      err.flush();
    }
  }
}
