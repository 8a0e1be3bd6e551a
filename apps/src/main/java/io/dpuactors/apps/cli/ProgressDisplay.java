package io.dpuactors.apps.cli;

import io.dpuactors.wire.OneLine;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * Progress bar for the current file on one line of a terminal. The bar disappears when the file is
 * done. Each drawing reads the terminal's width: a line wider than the window would scroll. Thread:
 * one at a time.
 */
public final class ProgressDisplay {
  private static final long REFRESH_NS = Duration.ofMillis(200).toNanos();
  private static final long MIB = 1L << 20;
  private static final int LEAST_BAR = 5;

  /** Moves to the first column and erases the line. */
  private static final String NEW_LINE = "\r\u001b[K";

  /** First character that may take two columns. */
  private static final int FIRST_WIDE = 0x1100;

  private final PrintWriter out;
  private final IntSupplier columns;
  private final Supplier<String> more;
  private boolean shown;
  private long nextNs;

  /**
   * Creates a display that shows nothing yet.
   *
   * @param columns returns the terminal's current width
   */
  public ProgressDisplay(PrintWriter out, IntSupplier columns) {
    this(out, columns, () -> "");
  }

  /**
   * Creates a display that shows nothing yet.
   *
   * @param columns returns the terminal's current width
   * @param more returns a text behind the bar, which is cut to half of the width
   */
  public ProgressDisplay(PrintWriter out, IntSupplier columns, Supplier<String> more) {
    this.out = out;
    this.columns = columns;
    this.more = more;
  }

  /**
   * Draws the bar, at most every 200 ms.
   *
   * @param totalBytes negative: unknown
   */
  public void show(String name, long doneBytes, long totalBytes) {
    long now = System.nanoTime();
    if (shown && now - nextNs < 0) {
      return;
    }
    nextNs = now + REFRESH_NS;
    shown = true;
    // The last column stays free: some terminals wrap after it.
    int width = columns.getAsInt() - 1;
    String text = cut(more.get(), width / 2);
    out.print(NEW_LINE + line(name, doneBytes, totalBytes, width - columns(text)) + text);
    out.flush();
  }

  /** Erases the bar. */
  public void clear() {
    if (shown) {
      shown = false;
      out.print(NEW_LINE);
      out.flush();
    }
  }

  /** Formats {@code access.log [=====> ] 58% 94/162 MiB}, or the part of it that fits. */
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

  /** Returns the part of a text that fits, without control characters. */
  private static String cut(String text, int width) {
    StringBuilder fitting = new StringBuilder();
    int used = 0;
    for (int point : OneLine.of(text).codePoints().toArray()) {
      used += columns(point);
      if (used > width) {
        break;
      }
      fitting.appendCodePoint(point);
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
