package io.dpuactors.apps.hash;

import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.apps.cli.ProgressDisplay;
import io.dpuactors.file.BatchEvent;
import io.dpuactors.file.FileFailure;
import io.dpuactors.file.HashEvent;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/**
 * Listener of a batch of hashes. The listener shows progress and keeps the data for the JSON
 * document.
 */
final class HashReport {
  private final CommandLine line;
  private final List<Path> files;
  private final @Nullable ProgressDisplay bar;
  private final BiConsumer<HashReport, HashEvent> onResult;
  private final List<HashEvent> results = new ArrayList<>();
  private BatchEvent.@Nullable Opened opened;
  private BatchEvent.@Nullable Ended ended;
  private ExitCode code = ExitCode.OK;

  /**
   * Creates a report without results.
   *
   * @param onResult receives each result in the order of the files
   */
  HashReport(
      CommandLine line,
      List<Path> files,
      @Nullable ProgressDisplay bar,
      BiConsumer<HashReport, HashEvent> onResult) {
    this.line = line;
    this.files = files;
    this.bar = bar;
    this.onResult = onResult;
  }

  void onEvent(BatchEvent event) {
    if (event instanceof HashEvent.Progress progress) {
      if (bar != null) {
        bar.show(
            String.valueOf(files.get(progress.index()).getFileName()),
            progress.bytesDone(),
            progress.bytesTotal());
      }
      return;
    }
    if (bar != null) {
      bar.clear();
    }
    if (event instanceof HashEvent result) {
      results.add(result);
      onResult.accept(this, result);
    } else if (event instanceof BatchEvent.Opened now) {
      opened = now;
    } else if (event instanceof BatchEvent.Ended end) {
      onEnded(end);
    }
  }

  private void onEnded(BatchEvent.Ended end) {
    ended = end;
    end.failure().ifPresent(why -> report(why, ExitCode.of(why.kind())));
    if (!end.clean()) {
      report("the engines did not close all resources: " + end.census(), ExitCode.FAILURE);
    }
  }

  /** Prints an error. The status of the first error is that of the program. */
  void report(Object what, ExitCode status) {
    boolean cancelled =
        what instanceof FileFailure failure && failure.kind() == FileFailure.Kind.CANCELLED;
    if (cancelled && ended == null) {
      return; // the end of the batch reports it once
    }
    line.getErr().println("dpu: " + (cancelled ? "interrupted" : what));
    fail(status);
  }

  /** Sets the status of the program, unless another error has set it. */
  void fail(ExitCode status) {
    code = code == ExitCode.OK ? status : code;
  }

  ExitCode exitCode() {
    return code;
  }

  /** Returns the writer for results. */
  PrintWriter out() {
    return line.getOut();
  }

  List<Path> files() {
    return files;
  }

  List<HashEvent> results() {
    return results;
  }

  BatchEvent.@Nullable Opened opened() {
    return opened;
  }

  BatchEvent.@Nullable Ended ended() {
    return ended;
  }
}
