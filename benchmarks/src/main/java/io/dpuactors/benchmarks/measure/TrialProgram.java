package io.dpuactors.benchmarks.measure;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The trials of one program, which takes turns with others. A warm program runs all trials in one
 * process; a cold one gets a fresh process for each. A failed trial ends its process; the next
 * trial starts a new one. For one thread.
 */
public final class TrialProgram implements AutoCloseable {
  private final Start start;
  private final Reading reading;
  private final int warmUps;
  private final boolean isCold;
  private final Duration limit;
  private @Nullable Child child;
  private @Nullable Double peakMib;

  /** Starts the program. */
  @FunctionalInterface
  public interface Start {
    /** Starts a process. */
    Child start() throws RunException, InterruptedException;
  }

  /** Reads the result of a trial. */
  @FunctionalInterface
  public interface Reading {
    /**
     * Reads a result.
     *
     * @param line printed by the program
     * @param seconds from the begin of the turn to the line; for a cold program this includes its
     *     start
     * @throws RunException if the line is not a valid result
     */
    Sample read(JsonNode line, double seconds) throws RunException;
  }

  private TrialProgram(Start start, Reading reading, int warmUps, boolean isCold, Duration limit) {
    this.start = start;
    this.reading = reading;
    this.warmUps = warmUps;
    this.isCold = isCold;
    this.limit = limit;
  }

  /**
   * Creates a program that runs all trials in one process, and waits on stdin before each.
   *
   * @param warmUps trials at the begin of each process that do not count
   * @param limit time limit of a trial
   */
  public static TrialProgram warm(Start start, Reading reading, int warmUps, Duration limit) {
    return new TrialProgram(start, reading, warmUps, false, limit);
  }

  /**
   * Creates a program that runs one trial, without a turn, in each process.
   *
   * @param limit time limit of a trial, which includes the start of its process
   */
  public static TrialProgram cold(Start start, Reading reading, Duration limit) {
    return new TrialProgram(start, reading, 0, true, limit);
  }

  /** Runs a trial. The result contains a failure. */
  public Sample run() throws InterruptedException {
    try {
      return isCold ? runCold() : runWarm();
    } catch (RunException e) {
      close();
      return Sample.failed(String.valueOf(e.getMessage()));
    }
  }

  private Sample runCold() throws RunException, InterruptedException {
    long beginNs = System.nanoTime();
    child = start.start();
    try {
      Sample sample = reading.read(child.nextJson(limit), secondsSince(beginNs));
      int status = child.finish(Child.END_LIMIT);
      if (status != 0) {
        throw new RunException("ended with status " + status + child.errorText());
      }
      return sample;
    } finally {
      close();
    }
  }

  private Sample runWarm() throws RunException, InterruptedException {
    Child running = child;
    if (running == null) {
      running = start.start();
      child = running;
      for (int i = 0; i < warmUps; i++) {
        running.takeTurn(limit);
      }
    }
    Double before = ProcessUsage.cpuSeconds(running.pid());
    long beginNs = System.nanoTime();
    JsonNode line = running.takeTurn(limit);
    double seconds = secondsSince(beginNs);
    Double after = ProcessUsage.cpuSeconds(running.pid());
    Double peak = ProcessUsage.peakMib(running.pid());
    peakMib = peak == null ? peakMib : peak;
    return reading
        .read(line, seconds)
        .withCpuSeconds(before == null || after == null ? null : after - before);
  }

  private static double secondsSince(long beginNs) {
    return (System.nanoTime() - beginNs) / 1e9;
  }

  /** Returns the largest resident memory of a warm program in MiB, if known. */
  public @Nullable Double peakMib() {
    return peakMib;
  }

  /**
   * Lets a warm process end in order.
   *
   * @return its status, if there was a process and the status is not 0
   */
  public OptionalInt finish() throws RunException, InterruptedException {
    Child running = child;
    if (running == null) {
      return OptionalInt.empty();
    }
    try {
      int status = running.finish(Child.END_LIMIT);
      return status == 0 ? OptionalInt.empty() : OptionalInt.of(status);
    } finally {
      close();
    }
  }

  /** Ends the process if it has not ended. */
  @Override
  public void close() {
    Child running = child;
    child = null;
    if (running != null) {
      running.close();
    }
  }
}
