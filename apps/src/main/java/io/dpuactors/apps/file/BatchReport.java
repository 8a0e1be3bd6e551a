package io.dpuactors.apps.file;

import com.typesafe.config.ConfigException;
import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.apps.cli.ProgressDisplay;
import io.dpuactors.bridge.InvalidSettingException;
import io.dpuactors.file.BatchEvent;
import io.dpuactors.file.FileFailure;
import io.dpuactors.wire.OneLine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/**
 * Listener of a batch. The listener prints progress and errors, and keeps the data for the exit
 * status and the JSON document.
 *
 * @param <E> events of the files of the batch
 */
public abstract class BatchReport<E extends BatchEvent> {
  private final CommandLine line;
  private final boolean debug;
  private final @Nullable ProgressDisplay bar;
  private final String interrupt;
  private final List<E> results = new ArrayList<>();
  private BatchEvent.@Nullable Opened opened;
  private BatchEvent.@Nullable Ended ended;
  private @Nullable ExitCode failed;
  private boolean interrupted;

  /**
   * Reports to a command line.
   *
   * @param debug whether failures have a stack trace
   * @param bar shows progress; null: no progress
   * @param interrupt message of a batch that the user has cancelled
   */
  protected BatchReport(
      CommandLine line, boolean debug, @Nullable ProgressDisplay bar, String interrupt) {
    this.line = line;
    this.debug = debug;
    this.bar = bar;
    this.interrupt = interrupt;
  }

  /** Prints an event of the batch, or keeps it for the end. */
  public final void onEvent(BatchEvent event) {
    if (event instanceof BatchEvent.Opened now) {
      opened = now;
    } else if (event instanceof BatchEvent.Ended end) {
      onEnded(end);
    } else {
      onFileEvent(event);
    }
  }

  /** Handles an event of a file: its progress, or its result. */
  protected abstract void onFileEvent(BatchEvent event);

  private void onEnded(BatchEvent.Ended end) {
    clearBar();
    ended = end;
    end.failure().ifPresent(this::onFailure);
    if (!end.clean()) {
      reportError("the engines did not close all resources: " + end.census());
      fail(ExitCode.FAILURE);
    }
  }

  /** Prints a failure. It determines the exit status unless another failure has. */
  public final void onFailure(FileFailure failure) {
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
      reportError(interrupt);
    }
    fail(ExitCode.FAILURE);
  }

  private void reportError(String what) {
    line.getErr().println("dpu: " + OneLine.of(what));
  }

  /** Sets the exit status, unless a failure has set it. */
  public final void fail(ExitCode code) {
    if (failed == null) {
      failed = code;
    }
  }

  /** Shows the progress of a file. */
  protected final void showProgress(Path file, long bytesDone, long bytesTotal) {
    if (bar != null) {
      bar.show(String.valueOf(file.getFileName()), bytesDone, bytesTotal);
    }
  }

  /** Keeps the result of a file. Clears the progress, so that the caller may print the result. */
  protected final void keep(E result) {
    clearBar();
    results.add(result);
  }

  private void clearBar() {
    if (bar != null) {
      bar.clear();
    }
  }

  /** Returns the writers for results and errors. */
  protected final CommandLine line() {
    return line;
  }

  /** Returns the exit status of the events until now. */
  public final ExitCode exitCode() {
    return failed == null ? ExitCode.OK : failed;
  }

  /** Returns the results of the files until now. */
  public final List<E> results() {
    return results;
  }

  /** Returns the open contexts; null: none were opened. */
  public final BatchEvent.@Nullable Opened opened() {
    return opened;
  }

  /** Returns the end of the batch; null: the batch has not ended. */
  public final BatchEvent.@Nullable Ended ended() {
    return ended;
  }
}
