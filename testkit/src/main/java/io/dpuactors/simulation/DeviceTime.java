package io.dpuactors.simulation;

import io.dpuactors.bridge.SoftDpu;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The software DPU's clock, which follows the world's, and its next action. Only an iteration of an
 * engine's loop calls the device: the next action changes nowhere else. World's thread.
 */
final class DeviceTime {
  private final SoftDpu device;

  /** Time by which the device's clock is behind the world's. Only a call in a turn reads it. */
  private long behindNs;

  /** Number of turns that have begun and not ended: a turn that waits lets others run. */
  private int turns;

  private long dueNs;
  private boolean isDueKnown;
  private long lastDueNs;

  DeviceTime(SoftDpu device) {
    this.device = device;
  }

  /**
   * Restarts the device with a seed, at time 0. No context may be started.
   *
   * @param traced whether the device keeps native calls for {@link #takeCalls}
   */
  void begin(long seed, boolean traced) {
    device.execution(SoftDpu.Execution.INLINE);
    device.manualClock(true);
    device.strict(true);
    device.traceCalls(traced);
    device.seed(seed);
    lastDueNs = -1;
    isDueKnown = false;
    behindNs = 0;
    turns = 0;
  }

  /** The device continues without a simulation. */
  static void end(SoftDpu device) {
    device.clearFaults();
    device.manualClock(false);
    device.strict(false);
    device.traceCalls(false);
    device.execution(SoftDpu.Execution.THREADS);
  }

  /** Returns the numbers of native objects and of effects of the fault plan, by name. */
  Map<String, Long> state() {
    Map<String, Long> state = new TreeMap<>(device.census());
    state.putAll(device.faultCounters());
    return state;
  }

  /** Removes and returns the native calls, the oldest first. */
  List<String> takeCalls() {
    return device.takeCalls();
  }

  /** Advances the clock: at once in a turn, otherwise before the next call that needs the time. */
  void advance(long ns) {
    behindNs += ns;
    if (turns > 0) {
      catchUp();
    }
  }

  /** Sets the device's clock to the world's. A call of the device costs as much as a short step. */
  void catchUp() {
    if (behindNs > 0) {
      device.advanceClock(behindNs);
      behindNs = 0;
    }
  }

  /**
   * Returns the world's time of the device's next action that is not due yet; {@code
   * Long.MAX_VALUE} if none.
   */
  long nextNs(long nowNs) {
    long next = dueNs();
    return next > nowNs ? next : Long.MAX_VALUE;
  }

  /** Returns the time of the device's next action, which may have passed. */
  long dueNs() {
    if (!isDueKnown) {
      dueNs = device.nextAction().orElse(Long.MAX_VALUE);
      isDueKnown = true;
    }
    return dueNs;
  }

  /** Begins an iteration of a loop, which calls the device. */
  void beginTurn() {
    catchUp();
    turns++;
  }

  /** Ends an iteration of a loop. */
  void endTurn() {
    turns--;
    called();
  }

  /** Forgets the time of the next action, because the device was called. */
  void called() {
    isDueKnown = false;
  }

  /**
   * Ends the turn of an engine, which waits, because the next steps are not in this turn.
   *
   * @return the host of the engine, for {@link #enterTurn}
   */
  int leaveTurn() {
    called();
    return device.enterHost(0);
  }

  /** Continues the turn of an engine. */
  void enterTurn(int host) {
    device.enterHost(host);
  }

  /** Returns whether an action has become due since the last call. */
  boolean hasBecomeDue(long nowNs) {
    long next = dueNs();
    if (next > nowNs || next == lastDueNs) {
      return false;
    }
    lastDueNs = next;
    return true;
  }
}
