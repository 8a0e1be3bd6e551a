package io.dpuactors.apps.hash;

import io.dpuactors.apps.cli.ProgressDisplay;
import io.dpuactors.apps.file.BatchReport;
import io.dpuactors.file.BatchEvent;
import io.dpuactors.file.HashEvent;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** Listener of a batch of hashes. */
final class HashReport extends BatchReport<HashEvent> {
  private final List<Path> files;
  private final BiConsumer<HashReport, HashEvent> onResult;

  /**
   * Creates a report without results.
   *
   * @param debug whether failures have a stack trace
   * @param bar shows progress; null: no progress
   * @param onResult receives each result in the order of the files
   */
  HashReport(
      CommandLine line,
      List<Path> files,
      boolean debug,
      @Nullable ProgressDisplay bar,
      BiConsumer<HashReport, HashEvent> onResult) {
    super(line, debug, bar, "interrupted");
    this.files = files;
    this.onResult = onResult;
  }

  @Override
  protected void onFileEvent(BatchEvent event) {
    if (event instanceof HashEvent.Progress progress) {
      showProgress(files.get(progress.index()), progress.bytesDone(), progress.bytesTotal());
    } else if (event instanceof HashEvent result) {
      keep(result);
      onResult.accept(this, result);
    }
  }

  /** Returns the writer for results. */
  PrintWriter out() {
    return line().getOut();
  }

  List<Path> files() {
    return files;
  }
}
