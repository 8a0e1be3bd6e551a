package io.dpuactors.simulation;

import io.dpuactors.loop.ActorMoment;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;

/** Disturbs the clock of a world, and the turns and waits of its engines. World's thread. */
final class WorldControl implements RunControl {
  /** The next operations that fail. */
  private static final class Failing {
    private int left;

    /** Throws if the operation fails. */
    void check() {
      if (left > 0) {
        left--;
        throw new IllegalStateException(Poison.TEXT);
      }
    }
  }

  private final VirtualTime time;
  private final HostClocks clocks;
  private final Failing turns = new Failing();
  private final Failing waits = new Failing();
  private final Map<ActorMoment, Failing> moments = new EnumMap<>(ActorMoment.class);
  private final Consumer<String> kill;
  private Runnable observer = () -> {};
  private long jumpNs;
  private int waiting;

  /**
   * Creates a control without disturbances.
   *
   * @param kill kills the host of an engine, by the name of its loop
   */
  WorldControl(VirtualTime time, HostClocks clocks, Consumer<String> kill) {
    this.time = time;
    this.clocks = clocks;
    this.kill = kill;
  }

  /** Drops the disturbances of the last run. */
  void reset() {
    turns.left = 0;
    waits.left = 0;
    moments.clear();
    jumpNs = 0;
    observer = () -> {};
  }

  @Override
  public void observe(Runnable afterStep) {
    observer = afterStep;
  }

  /** Ends a step. */
  void afterStep() {
    observer.run();
  }

  @Override
  public long nowNs() {
    return time.nowNs();
  }

  @Override
  public void moveEngine(String name) {
    clocks.move(WorldDispatcher.ENGINE + name);
  }

  @Override
  public void killHost(String name) {
    kill.accept(WorldDispatcher.ENGINE + name);
  }

  @Override
  public void jump(long ns) {
    jumpNs += ns;
  }

  /** Returns and removes the time of the jumps since the last step, nanoseconds. */
  long takeJumpNs() {
    long taken = jumpNs;
    jumpNs = 0;
    return taken;
  }

  @Override
  public void failTurns(int count) {
    turns.left += count;
  }

  /** Fails the next turns. */
  void beforeTurn() {
    turns.check();
  }

  @Override
  public void failWaits(int count) {
    waits.left += count;
  }

  /** Fails the next waits. */
  void beforeWait() {
    waits.check();
  }

  @Override
  public void failAt(ActorMoment moment, int actors) {
    moments.computeIfAbsent(moment, first -> new Failing()).left += actors;
  }

  /** Fails the actor that passes a moment of its life. */
  void at(ActorMoment moment) {
    Failing failing = moments.get(moment);
    if (failing != null) {
      failing.check();
    }
  }

  /** Begins a wait of an engine's step. */
  void begin() {
    waiting++;
  }

  /** Ends a wait of an engine's step. */
  void end() {
    waiting--;
  }

  @Override
  public boolean isEngineWaiting() {
    return waiting > 0;
  }
}
