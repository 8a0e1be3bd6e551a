package io.dpuactors.apps;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.IntSupplier;

/**
 * A bar for the file in work, on one line of a terminal, gone when the file is done. Each drawing
 * asks for the terminal's width: a line that is wider than the window would scroll. Thread: one at
 * a time.
 */
final class ProgressDisplay {
  private static final long REFRESH_NS = Duration.ofMillis(200).toNanos();
  private static final long MIB = 1L << 20;
  private static final int LEAST_BAR = 5;

  /** Moves to the first column and erases the line. */
  private static final String NEW_LINE = "\r\u001b[K";

  /** From here on, characters may take two columns. */
  private static final int FIRST_WIDE = 0x1100;

  private final PrintWriter out;
  private final IntSupplier columns;
  private boolean shown;
  private long nextNs;

  /**
   * Shows nothing yet.
   *
   * @param columns the width of the terminal now
   */
  ProgressDisplay(PrintWriter out, IntSupplier columns) {
    this.out = out;
    this.columns = columns;
  }

  /**
   * Draws the bar, unless that was done a moment ago.
   *
   * @param totalBytes negative: unknown
   */
  void show(String name, long doneBytes, long totalBytes) {
    long now = System.nanoTime();
    if (shown && now - nextNs < 0) {
      return;
    }
    nextNs = now + REFRESH_NS;
    shown = true;
    // The last column stays free: some terminals wrap when it is written.
    out.print(NEW_LINE + line(name, doneBytes, totalBytes, columns.getAsInt() - 1));
    out.flush();
  }

  /** Leaves an empty line for the next text. */
  void clear() {
    if (shown) {
      shown = false;
      out.print(NEW_LINE);
      out.flush();
    }
  }

  /** As in {@code access.log [=====> ] 58% 94/162 MiB}, or as much of it as fits. */
  static String line(String name, long doneBytes, long totalBytes, int width) {
    boolean known = totalBytes >= 0;
    int percent =
        totalBytes > 0 ? (int) (100.0 * Math.min(doneBytes, totalBytes) / totalBytes) : 100;
    String numbers =
        known
            ? " %3d%% %d/%d MiB".formatted(percent, doneBytes / MIB, totalBytes / MIB)
            : " %d MiB".formatted(doneBytes / MIB);
    int room = width - numbers.length();
    String head = cut(name, known ? room / 2 : room);
    int bar = known ? room - columns(head) - " [>]".length() : 0;
    return bar >= LEAST_BAR
        ? head + bar(percent, bar) + numbers
        : cut(cut(name, room) + numbers, width);
  }

  private static String bar(int percent, int width) {
    int full = width * percent / 100;
    return " [" + "=".repeat(full) + ">" + " ".repeat(width - full) + "]";
  }

  /** As much of a text as fits; what would move the cursor becomes a question mark. */
  private static String cut(String text, int width) {
    StringBuilder fitting = new StringBuilder();
    int used = 0;
    for (int point : text.codePoints().toArray()) {
      used += columns(point);
      if (used > width) {
        break;
      }
      fitting.appendCodePoint(Character.isISOControl(point) ? '?' : point);
    }
    return fitting.toString();
  }

  private static int columns(String text) {
    return text.codePoints().map(ProgressDisplay::columns).sum();
  }

  private static int columns(int point) {
    return point < FIRST_WIDE ? 1 : 2;
  }
}
