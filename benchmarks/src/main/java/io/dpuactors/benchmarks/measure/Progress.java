package io.dpuactors.benchmarks.measure;

import io.dpuactors.apps.cli.Terminal;
import java.io.PrintWriter;

/** Progress on stderr: lines that stay, and on a terminal one line that changes. */
public final class Progress {
  /** Moves to the first column and erases the line. */
  private static final String NEW_LINE = "\r\u001b[K";

  private final PrintWriter err;
  private final boolean isTerminal = Terminal.showsProgress();

  /** Creates the progress of a run. */
  public Progress(PrintWriter err) {
    this.err = err;
  }

  /** Prints a line that stays. */
  public void print(String line) {
    clear();
    err.println(line);
  }

  /** Replaces the line that changes. Other outputs than terminals do not get it. */
  public void show(String line) {
    if (isTerminal) {
      int columns = Terminal.columns();
      err.print(NEW_LINE + (line.length() < columns ? line : line.substring(0, columns - 1)));
      err.flush();
    }
  }

  /** Erases the line that changes, for the next output. */
  public void clear() {
    if (isTerminal) {
      err.print(NEW_LINE);
      err.flush();
    }
  }

  /** Warns that other programs use the machine, if its load is high. */
  public void warnIfBusy(double load) {
    if (Machine.isBusy(load)) {
      print(
          "dpu: other programs use this machine (load %.1f): expect a wide spread".formatted(load));
    }
  }
}
