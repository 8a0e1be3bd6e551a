package io.dpuactors.engine;

import io.dpuactors.loop.EngineLog;
import io.dpuactors.loop.EngineLoop;
import io.dpuactors.node.EngineCore;

/**
 * The turns of an engine that ends without {@code Stop} and receives no more messages. These turns
 * also run the other actors of the thread, because these may hold leases. Engine's thread.
 */
final class LastTurns {
  private static final long PARK_NS = 1_000_000;
  private static final int MAX_FAILURES = 4;

  private final EngineLoop loop;
  private final EngineCore core;
  private final OwnedMemory owned;
  private final Runnable beforeTurn;
  private final EngineLog log;

  /**
   * Creates the turns.
   *
   * @param beforeTurn runs before each turn
   */
  LastTurns(
      EngineLoop loop, EngineCore core, OwnedMemory owned, Runnable beforeTurn, EngineLog log) {
    this.loop = loop;
    this.core = core;
    this.owned = owned;
    this.beforeTurn = beforeTurn;
    this.log = log;
  }

  /**
   * Progresses the device until nothing native or leased is left, the deadline passes, or four
   * turns in a row fail. The pauses before the attempts are those of the loop: 1, 10 and 100 ms.
   */
  void run(long deadlineNs) {
    int failures = 0;
    long pauseNs = PARK_NS;
    while (!core.isVacant() && core.nowNs() - deadlineNs < 0) {
      try {
        turn();
        failures = 0;
        pauseNs = PARK_NS;
      } catch (RuntimeException | Error e) {
        if (++failures == MAX_FAILURES) {
          log.error(
              "the progress engine failed while its contexts were stopping; the contexts stay open",
              e);
          return;
        }
        log.debug("the turn failed", e);
        loop.pause(pauseNs);
        pauseNs *= 10;
      }
    }
  }

  private void turn() {
    beforeTurn.run();
    owned.releaseOfEnded();
    if (loop.runWaiting() + core.turn(core.nowNs(), 0) == 0) {
      awaitOrPark();
    }
  }

  /** Waits for the device for a short time. An engine whose wait fails can still run turns. */
  private void awaitOrPark() {
    try {
      loop.await(core, core.settings().idleParkNs());
    } catch (IllegalStateException e) {
      log.debug("the wait failed", e);
      loop.pause(PARK_NS);
    }
  }
}
