package io.dpuactors.apps;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Option;

/** For measurements: the same again, in one process. */
public final class TrialOptions {
  @Option(
      names = "--trials",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Do it so many times, a client with a new connection each, and print a result each. Default: ${DEFAULT-VALUE}.")
  int trials = 1;

  @Option(
      names = "--paced",
      description =
          "Before each trial, wait for a line on standard input; stop, with status 0, where that ends.")
  boolean paced;

  /** One trial, unless picocli fills it otherwise. */
  public TrialOptions() {}

  /**
   * Waits until a trial may begin; false when there is none any more. For programs that a signal
   * simply ends.
   *
   * @param trial from 0
   */
  public boolean begins(int trial) {
    return trial < trials && (!paced || readTurn());
  }

  /**
   * Waits until a trial may begin; false when there is none any more.
   *
   * @param trial from 0
   * @throws ChannelException when a signal comes first, or the engine ends
   */
  boolean begins(int trial, Channel channel) throws ChannelException {
    return trial < trials
        && (!paced || channel.await(CompletableFuture.supplyAsync(TrialOptions::readTurn)));
  }

  /** Whether there was a whole line. Not on the program's thread, which is to hear signals. */
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

  /** What is wrong with them, if anything. */
  public Optional<String> problem() {
    return trials < 1
        ? Optional.of("--trials " + trials + ": at least 1 is needed")
        : Optional.empty();
  }
}
