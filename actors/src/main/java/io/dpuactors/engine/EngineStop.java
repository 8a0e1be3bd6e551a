package io.dpuactors.engine;

import io.dpuactors.node.EngineCore;
import io.dpuactors.node.StopRequests;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import java.time.Duration;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * The {@link Stop} commands of an engine, and the time until it answers them. The first command
 * sets the deadline. Engine's thread.
 */
final class EngineStop {
  private static final Duration CHECK_INTERVAL = Duration.ofMillis(1);

  /** Timer messages of the engine to itself. */
  enum Tick implements LocalMessage {
    CHECK,
    DEADLINE
  }

  private final TimerScheduler<Object> timers;
  private final EngineCore core;
  private final StopRequests requests = new StopRequests();
  private boolean isRequested;
  private long deadlineNs;

  EngineStop(TimerScheduler<Object> timers, EngineCore core) {
    this.timers = timers;
    this.core = core;
  }

  /** Adds a command. */
  void add(Stop command) {
    if (!isRequested) {
      deadlineNs = deadlineNs();
      isRequested = true;
      timers.startSingleTimer(Tick.DEADLINE, Tick.DEADLINE, core.settings().stopDeadline());
    }
    requests.add(command);
  }

  /** Returns the deadline of the first command; without a command, that of a command now. */
  long deadlineNs() {
    return isRequested ? deadlineNs : core.nowNs() + core.settings().stopDeadline().toNanos();
  }

  /** Sends {@link Tick#CHECK} soon. */
  void checkLater() {
    timers.startSingleTimer(Tick.CHECK, Tick.CHECK, CHECK_INTERVAL);
  }

  /** Answers each command once. */
  void answer(Stopped outcome) {
    requests.answer(outcome);
  }
}
