package io.dpuactors.apps.file;

import io.dpuactors.apps.cli.ProgressDisplay;
import io.dpuactors.apps.cli.Size;
import io.dpuactors.file.BatchEvent;
import io.dpuactors.file.FileEvent;
import io.dpuactors.file.FileJob;
import io.dpuactors.file.FileReport;
import io.dpuactors.wire.OneLine;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** Listener of a batch that writes files. The listener prints a line for each result. */
public final class RunReport extends BatchReport<FileEvent> {
  private static final double GIB = 1L << 30;

  private final boolean talks;

  /**
   * Reports to a command line.
   *
   * @param talks whether results of files are printed
   * @param debug whether failures have a stack trace
   * @param bar shows progress; null: no progress
   */
  public RunReport(CommandLine line, boolean talks, boolean debug, @Nullable ProgressDisplay bar) {
    super(line, debug, bar, "interrupted; no partial output is left");
    this.talks = talks;
  }

  @Override
  protected void onFileEvent(BatchEvent event) {
    if (event instanceof FileEvent.Progress progress) {
      showProgress(progress.job().input(), progress.bytesDone(), progress.bytesTotal());
    } else if (event instanceof FileEvent.Done done) {
      keep(done);
      onDone(done);
    } else if (event instanceof FileEvent.Failed lost) {
      keep(lost);
      onFailure(lost.failure());
    }
  }

  private void onDone(FileEvent.Done done) {
    if (talks) {
      boolean isTaken = FileJob.isStream(done.job().output());
      String summary = OneLine.of(summary(done.job(), done.report()));
      (isTaken ? line().getErr() : line().getOut()).println(summary);
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
        .formatted(job.input(), job.output(), sizes(job, report), blocks, seconds, rate, device());
  }

  private String device() {
    BatchEvent.Opened opened = opened();
    return opened == null ? "no device" : opened.library() + " " + opened.device();
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
}
