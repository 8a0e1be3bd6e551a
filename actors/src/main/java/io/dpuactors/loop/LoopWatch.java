package io.dpuactors.loop;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports a turn of one loop that takes too long, while it lasts: thread, actor and stack. A
 * continuing turn is reported again after twice the time, different turns at most every ten
 * seconds. Runs on one thread other than the loop's.
 */
final class LoopWatch {
  private static final Logger LOG = LoggerFactory.getLogger(LoopWatch.class);
  private static final long MIN_GAP_NS = TimeUnit.SECONDS.toNanos(10);
  private static final int MAX_FRAMES = 32;

  private final EngineLoop loop;
  private final long stallNs;
  private boolean hasReported;
  private long nextReportNs;

  LoopWatch(EngineLoop loop, long stallNs) {
    this.loop = loop;
    this.stallNs = stallNs;
  }

  /** Returns the interval between two checks, nanoseconds. */
  long intervalNs() {
    return Math.max(TimeUnit.MILLISECONDS.toNanos(1), stallNs / 2);
  }

  /** Checks the current turn. Returns whether it logged a line. */
  boolean check(long nowNs) {
    CurrentTurn turn = loop.turn();
    Thread thread = loop.thread();
    long began = turn.beganNs();
    if (thread == null || began == CurrentTurn.NONE || nowNs - began <= stallNs) {
      return false;
    }
    if (hasReported && nextReportNs - nowNs > 0) {
      return false;
    }
    String subject = turn.subject();
    StackTraceElement[] stack = thread.getStackTrace();
    if (turn.beganNs() != began) {
      return false; // the turn has ended; the stack may belong to another one
    }
    hasReported = true;
    nextReportNs = nowNs + Math.max(MIN_GAP_NS, nowNs - began);
    EngineLog.of(LOG, loop.engine())
        .warn(
            "{}: a turn has lasted {} ms: {} blocks the engine's thread. Run blocking and long work"
                + " on another dispatcher. Stack:{}",
            thread.getName(),
            TimeUnit.NANOSECONDS.toMillis(nowNs - began),
            subject,
            text(stack));
    return true;
  }

  private static String text(StackTraceElement[] stack) {
    return Arrays.stream(stack)
        .limit(MAX_FRAMES)
        .map(frame -> System.lineSeparator() + "\tat " + frame)
        .collect(Collectors.joining());
  }
}
