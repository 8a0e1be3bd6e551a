package io.dpuactors.simulation;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one actor that have no answer yet, and the times of their answers. Each request
 * has one answer, by its deadline. The answer TIME_OUT comes at the deadline, which an engine
 * counts from the begin of its turn. World's thread.
 */
final class Deadlines {
  /** The configured deadline of connections, producers and RDMA contexts. */
  static final Duration CONFIGURED = Duration.ofSeconds(30);

  /** All requests of a run without faults end within this number of slacks. */
  private static final int NEEDED_SLACKS = 30;

  /** One of this number of seeds has short deadlines. */
  private static final int SEEDS = 2;

  /** The operation of the error of a connection whose peer is silent. */
  private static final String OF_SILENCE = "receive";

  /** The configured time that an ending engine waits for its leases. Its loop waits too. */
  private static final Duration ENGINE_END = Duration.ofSeconds(10);

  /** Longest time in which an engine does nothing, after each of these disturbances. */
  private static final Map<Disturbance, Duration> PAUSES =
      new EnumMap<>(
          Map.of(
              Disturbance.JUMP_CLOCK, Duration.ofNanos(Run.LONGEST_JUMP_NS),
              Disturbance.KILL_HOST, Duration.ofNanos(WorldLoop.DEATH_NS),
              Disturbance.FAIL_TURNS, ENGINE_END,
              Disturbance.FAIL_WAITS, ENGINE_END,
              Disturbance.FAIL_SUBMIT, ENGINE_END,
              Disturbance.BREAK_ENGINE, ENGINE_END,
              Disturbance.KILL_ENGINE, ENGINE_END));

  private final Run run;
  private final String name;
  private final long limitNs;
  private final boolean mayWaitTwice;
  private boolean isOfConnection;
  private boolean hasTimedOut;

  /** Times of the requests, nanoseconds, by tag. */
  private final Map<Long, Long> unanswered = new TreeMap<>();

  /**
   * Creates the empty set of an actor.
   *
   * @param name of the actor, for problems
   * @param limit time from a request to its answer
   * @param mayWaitTwice whether requests may wait for a connection and then on it, each until the
   *     limit. The connection may then end with TIME_OUT
   */
  Deadlines(Run run, String name, Duration limit, boolean mayWaitTwice) {
    this.run = run;
    this.name = name;
    this.limitNs = limit.toNanos();
    this.mayWaitTwice = mayWaitTwice;
  }

  /** Returns the deadline of a run's messages, which is long enough without faults. */
  static Duration of(Run run) {
    Duration shorter = Duration.ofNanos(NEEDED_SLACKS * run.slackNs());
    boolean isShort = run.seed() % SEEDS == 0 && shorter.compareTo(CONFIGURED) < 0;
    return isShort ? shorter : CONFIGURED;
  }

  /** Returns the longest pause of a receiver that lets no message time out, nanoseconds. */
  static long longestPauseNs(Run run) {
    return of(run).toNanos() / NEEDED_SLACKS;
  }

  /** The first request that times out ends the connection, which fails all others by that error. */
  Deadlines ofConnection() {
    isOfConnection = true;
    return this;
  }

  /** Adds a request, whose tag is unique. */
  void sent(long tag) {
    unanswered.put(tag, run.nowNs());
  }

  /**
   * Checks the time of an answer.
   *
   * @param error of a failed request; null: none
   */
  void answered(long tag, @Nullable DocaError error) {
    Long sentNs = unanswered.remove(tag);
    if (sentNs == null) {
      run.fail("request %d of %s has two answers; the second is %s".formatted(tag, name, error));
      return;
    }
    long afterNs = run.nowNs() - sentNs;
    boolean mayBeEarly = mayWaitTwice || (isOfConnection && hasTimedOut);
    run.check(
        !isTimeOut(error) || mayBeEarly || afterNs >= limitNs - allowedNs(),
        "request %d of %s timed out after %d ns, before its deadline of %d ns",
        tag,
        name,
        afterNs,
        limitNs);
    hasTimedOut |= isTimeOut(error);
    long mostNs = mayWaitTwice ? 2 * limitNs : limitNs;
    run.check(
        afterNs <= mostNs || afterNs <= mostNs + allowedNs(),
        "request %d of %s was answered %d ns after it was sent, and its deadline was %d ns",
        tag,
        name,
        afterNs,
        mostNs);
  }

  /** Returns whether a request timed out. A silent peer ends its connection with another error. */
  private static boolean isTimeOut(@Nullable DocaError error) {
    return error != null
        && error.code() == DocaCode.TIME_OUT
        && !error.operation().equals(OF_SILENCE);
  }

  private long allowedNs() {
    return pausesNs(run);
  }

  /** Returns the time of due steps, and of the pauses of engines in a run. */
  static long pausesNs(Run run) {
    long allowedNs = run.slackNs();
    for (Map.Entry<Disturbance, Duration> pause : PAUSES.entrySet()) {
      int times = run.reached().getOrDefault(pause.getKey().name(), 0);
      allowedNs += times * pause.getValue().toNanos();
    }
    return allowedNs;
  }

  /** Fails the run if an answer is missing. */
  void check() {
    run.check(unanswered.isEmpty(), "%s has no answer to %s", name, unanswered.keySet());
  }
}
