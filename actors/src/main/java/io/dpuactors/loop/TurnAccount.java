package io.dpuactors.loop;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts the turns of a loop and reports each turn that took too long. Loop's thread. */
final class TurnAccount {
  private static final Logger LOG = LoggerFactory.getLogger(TurnAccount.class);

  private final String loop;
  private long stallNs;
  private final LongSupplier clock;
  private final LoopCounters counters;
  private final CurrentTurn current = new CurrentTurn();

  TurnAccount(String loop, long stallNs, LongSupplier clock, LoopCounters counters) {
    this.loop = loop;
    this.stallNs = stallNs;
    this.clock = clock;
    this.counters = counters;
  }

  void stallWarning(long ns) {
    stallNs = ns;
  }

  /** Returns the current activity of the loop. Any thread may read it. */
  CurrentTurn current() {
    return current;
  }

  void begin(long nowNs) {
    current.begin(nowNs);
  }

  /** Ends the turn and begins another, for a task that continues without returning to the loop. */
  void split() {
    long nowNs = clock.getAsLong();
    measure(nowNs - current.beganNs(), 0, 0);
    current.begin(nowNs);
  }

  /** Splits the turn around work that may take long. The stall warning ignores that work. */
  <T> T exempt(Supplier<T> work) {
    split();
    current.rest();
    try {
      return work.get();
    } finally {
      current.begin(clock.getAsLong());
    }
  }

  /** Ends a turn. */
  void end(long nowNs, int mailboxRuns, int deviceEvents) {
    counters.turns++;
    counters.mailboxRuns += mailboxRuns;
    counters.deviceEvents += deviceEvents;
    measure(nowNs - current.beganNs(), mailboxRuns, deviceEvents);
  }

  private void measure(long tookNs, int mailboxRuns, int deviceEvents) {
    if (tookNs > counters.longestTurnNs) {
      counters.longestTurnNs = tookNs;
    }
    if (tookNs > stallNs) {
      counters.stalls++;
      EngineLog.of(LOG, EngineLog.engine(loop))
          .warn(
              "{}: a turn took {} ms ({} mailbox runs, {} device events): blocking or long work on"
                  + " the engine's thread",
              loop,
              TimeUnit.NANOSECONDS.toMillis(tookNs),
              mailboxRuns,
              deviceEvents);
    }
  }
}
