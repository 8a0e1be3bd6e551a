package io.dpuactors.apps.channel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Option;

/** Options for measurements: repeated trials in one process. */
public final class TrialOptions {
  @Option(
      names = "--trials",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Number of trials. Each prints a result. Each trial of a client has a new connection, those of rdma share one. "
              + "Default: ${DEFAULT-VALUE}.")
  int trials = 1;

  @Option(
      names = "--paced",
      description =
          "Before each trial, wait for a line on standard input. Stop with status 0 at its end.")
  boolean paced;

  /** Creates options for one trial. Picocli sets them. */
  public TrialOptions() {}

  /**
   * Waits until a trial may begin. Returns false after the last trial. For programs that a signal
   * ends without further steps.
   *
   * @param trial index of the trial, from 0
   */
  public boolean begins(int trial) {
    return trial < trials && (!paced || readTurn());
  }

  /**
   * Waits until a trial may begin. Returns false after the last trial.
   *
   * @param trial index of the trial, from 0
   * @throws ChannelException when a signal arrives first, or the engine stops
   */
  boolean begins(int trial, Channel channel) throws ChannelException {
    return trial < trials
        && (!paced || channel.await(CompletableFuture.supplyAsync(TrialOptions::readTurn)));
  }

  /**
   * Reads a line and returns whether it was complete. The program's thread must stay free for
   * signals, so this method runs on another thread.
   */
  private static boolean readTurn() {
    try {
      int c = System.in.read();
      while (c != '\n' && c != -1) {
        c = System.in.read();
      }
      return c == '\n';
    } catch (IOException e) {
      throw new UncheckedIOException("standard input", e);
    }
  }

  /** Returns the error of the first wrong option, or empty. */
  public Optional<String> problem() {
    return trials < 1
        ? Optional.of("--trials " + trials + ": it must be at least 1")
        : Optional.empty();
  }
}
