package io.dpuactors.apps.file;

import com.typesafe.config.ConfigException;
import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.apps.cli.ProgressDisplay;
import io.dpuactors.apps.cli.Size;
import io.dpuactors.bridge.InvalidSettingException;
import io.dpuactors.file.BatchEvent;
import io.dpuactors.file.FileEvent;
import io.dpuactors.file.FileFailure;
import io.dpuactors.file.FileJob;
import io.dpuactors.file.FileReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/**
 * Listener of a batch. The listener prints progress and results, and keeps the data for the exit
 * status and the JSON document.
 */
public final class RunReport {
  private static final double GIB = 1L << 30;

  private final CommandLine line;
  private final boolean talks;
  private final boolean debug;
  private final @Nullable ProgressDisplay bar;
  private final List<FileEvent> results = new ArrayList<>();
  private BatchEvent.@Nullable Opened opened;
  private BatchEvent.@Nullable Ended ended;
  private @Nullable ExitCode failed;
  private boolean interrupted;

  /**
   * Reports to a command line.
   *
   * @param talks whether results of files are printed
   * @param debug whether failures have a stack trace
   * @param bar shows progress; null: no progress
   */
  public RunReport(CommandLine line, boolean talks, boolean debug, @Nullable ProgressDisplay bar) {
    this.line = line;
    this.talks = talks;
    this.debug = debug;
    this.bar = bar;
  }

  /** Prints an event of the batch, or keeps it for the end. */
  public void onEvent(BatchEvent event) {
    if (event instanceof FileEvent.Progress progress) {
      onProgress(progress);
    } else if (event instanceof FileEvent.Done done) {
      onDone(done);
    } else if (event instanceof FileEvent.Failed lost) {
      clearBar();
      results.add(lost);
      onFailure(lost.failure());
    } else if (event instanceof BatchEvent.Opened now) {
      opened = now;
    } else if (event instanceof BatchEvent.Ended end) {
      onEnded(end);
    }
  }

  private void onProgress(FileEvent.Progress progress) {
    if (bar != null) {
      bar.show(
          String.valueOf(progress.job().input().getFileName()),
          progress.bytesDone(),
          progress.bytesTotal());
    }
  }

  private void onDone(FileEvent.Done done) {
    clearBar();
    results.add(done);
    if (talks) {
      boolean isTaken = FileJob.isStream(done.job().output());
      (isTaken ? line.getErr() : line.getOut()).println(summary(done.job(), done.report()));
    }
  }

  private void onEnded(BatchEvent.Ended end) {
    clearBar();
    ended = end;
    end.failure().ifPresent(this::onFailure);
    if (!end.clean()) {
      reportError("the engines did not close all resources: " + end.census());
      fail(ExitCode.FAILURE);
    }
  }

  private void onFailure(FileFailure failure) {
    if (failure.kind() == FileFailure.Kind.CANCELLED) {
      onInterrupt();
      return;
    }
    if (failure.kind() == FileFailure.Kind.READER_GONE) {
      fail(ExitCode.BROKEN_PIPE);
      return;
    }
    String hint = failure.kind() == FileFailure.Kind.EXISTS ? " (--force replaces it)" : "";
    reportError(failure + hint);
    if (debug && failure.cause() != null) {
      failure.cause().printStackTrace(line.getErr());
    }
    fail(isSetting(failure.cause()) ? ExitCode.USAGE : ExitCode.of(failure.kind()));
  }

  private static boolean isSetting(@Nullable Throwable cause) {
    return cause instanceof ConfigException || cause instanceof InvalidSettingException;
  }

  /** Reports an interrupt once. The running file, the batch, or both may call this method. */
  private void onInterrupt() {
    if (!interrupted) {
      interrupted = true;
      reportError("interrupted; no partial output is left");
    }
    fail(ExitCode.FAILURE);
  }

  private void reportError(String what) {
    line.getErr().println("dpu: " + what);
  }

  private void fail(ExitCode code) {
    if (failed == null) {
      failed = code;
    }
  }

  private void clearBar() {
    if (bar != null) {
      bar.clear();
    }
  }

  /**
   * Formats a result as {@code a -> a.gz: 1 GiB -> 241 MiB (ratio 4.25), 1024 blocks, 3.21 s, 0.31
   * GiB/s, software DPU 0000:03:00.0}.
   */
  private String summary(FileJob job, FileReport report) {
    String rate = String.format(Locale.ROOT, "%.2f", gibPerSecond(job, report));
    String seconds = String.format(Locale.ROOT, "%.2f", seconds(report.elapsed()));
    String blocks = report.blocks() == 1 ? "1 block" : report.blocks() + " blocks";
    if (report.resumed().blocks() > 0) {
      blocks += " (%d of an earlier process)".formatted(report.resumed().blocks());
    }
    return "%s -> %s: %s, %s, %s s, %s GiB/s, %s"
        .formatted(
            job.input(),
            job.output(),
            sizes(job, report),
            blocks,
            seconds,
            rate,
            opened == null ? "no device" : opened.library() + " " + opened.device());
  }

  private static String sizes(FileJob job, FileReport report) {
    String in = Size.text(report.bytesIn());
    if (job instanceof FileJob.Encode encode) {
      return "%s -> %s in %d parts"
          .formatted(in, Size.text(report.bytesOut()), encode.stripes().parts());
    }
    return hasRatio(job)
        ? "%s -> %s (ratio %s)"
            .formatted(
                in,
                Size.text(report.bytesOut()),
                String.format(Locale.ROOT, "%.2f", ratio(job, report)))
        : in;
  }

  /** Returns whether a job compresses or decompresses. */
  static boolean hasRatio(FileJob job) {
    return job instanceof FileJob.Compress || job instanceof FileJob.Decompress;
  }

  /** Returns uncompressed bytes divided by compressed bytes; 0 without compressed bytes. */
  static double ratio(FileJob job, FileReport report) {
    boolean compressed = job instanceof FileJob.Compress;
    long content = compressed ? report.bytesIn() : report.bytesOut();
    long packed = compressed ? report.bytesOut() : report.bytesIn();
    return packed == 0 ? 0 : (double) content / packed;
  }

  /** Returns uncompressed GiB per second, without the blocks of an earlier process. */
  static double gibPerSecond(FileJob job, FileReport report) {
    boolean isPacked = job instanceof FileJob.Decompress;
    FileReport.Resumed before = report.resumed();
    long content =
        isPacked ? report.bytesOut() - before.bytesOut() : report.bytesIn() - before.bytesIn();
    return content / GIB / seconds(report.elapsed());
  }

  static double seconds(Duration elapsed) {
    return Math.max(1, elapsed.toNanos()) / 1e9;
  }

  /** Returns the exit status of the events until now. */
  public ExitCode exitCode() {
    return failed == null ? ExitCode.OK : failed;
  }

  List<FileEvent> results() {
    return results;
  }

  BatchEvent.@Nullable Opened opened() {
    return opened;
  }

  BatchEvent.@Nullable Ended ended() {
    return ended;
  }
}
