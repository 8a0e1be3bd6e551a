package io.dpuactors.apps;

import java.io.PrintWriter;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** A bar for the file in work, on one line of a terminal, gone when the file is done. */
final class ProgressDisplay {
  private static final int REFRESH_MS = 200;
  private static final long MIB = 1L << 20;

  private final PrintWriter out;
  private final int columns;
  private @Nullable ProgressBar bar;

  ProgressDisplay(PrintWriter out, int columns) {
    this.out = out;
    this.columns = columns;
  }

  void show(String name, long done, long total) {
    if (bar == null) {
      bar =
          new ProgressBarBuilder()
              .setTaskName(name)
              .setInitialMax(total)
              .setUnit(" MiB", MIB)
              .setStyle(ProgressBarStyle.ASCII)
              .setUpdateIntervalMillis(REFRESH_MS)
              .setConsumer(new Line())
              .build();
    }
    bar.stepTo(Math.min(done, total));
  }

  /** Leaves an empty line for whatever is printed next. */
  void clear() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }

  private final class Line implements ProgressBarConsumer {
    private boolean closed;

    @Override
    public int getMaxRenderedLength() {
      return columns - 1;
    }

    @Override
    public synchronized void accept(String rendered) {
      if (!closed) {
        out.print('\r' + rendered);
        out.flush();
      }
    }

    @Override
    public synchronized void clear() {
      out.print('\r' + " ".repeat(columns - 1) + '\r');
      out.flush();
    }

    @Override
    public synchronized void close() {
      if (!closed) {
        closed = true;
        clear();
      }
    }
  }
}
