package io.dpuactors.apps.simulation;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.LongConsumer;

/** Shows the number of seeds of a scenario on one line of a terminal. Thread: one. */
final class SimulationProgress implements LongConsumer {
  private static final long REFRESH_NS = Duration.ofMillis(200).toNanos();

  /** Moves to the first column and erases the line. */
  private static final String NEW_LINE = "\r\u001b[K";

  private final PrintWriter out;
  private final String scenario;
  private final long seeds;
  private final boolean isShown;
  private final long beganNs = System.nanoTime();
  private long shownNs = beganNs;

  /**
   * Creates a display that shows nothing yet.
   *
   * @param isShown whether the terminal shows the line
   */
  SimulationProgress(PrintWriter out, String scenario, long seeds, boolean isShown) {
    this.out = out;
    this.scenario = scenario;
    this.seeds = seeds;
    this.isShown = isShown;
  }

  /** Shows the number of seeds that have run, at most every 200 ms. */
  @Override
  public void accept(long done) {
    long nowNs = System.nanoTime();
    if (isShown && nowNs - shownNs >= REFRESH_NS) {
      shownNs = nowNs;
      out.printf(
          "%s%s: %d of %d seeds, %.0f per second",
          NEW_LINE, scenario, done, seeds, done * 1e9 / (nowNs - beganNs));
      out.flush();
    }
  }

  /** Erases the line. */
  void clear() {
    if (shownNs != beganNs) {
      out.print(NEW_LINE);
      out.flush();
    }
  }
}
