package io.dpuactors.simulation;

/** Disturbs the clock of a world, and the turns and waits of its engines. World's thread. */
final class WorldControl implements Run.Control {
  private final VirtualTime time;
  private int failingTurns;
  private int failingWaits;
  private long jumpNs;
  private int waiting;

  WorldControl(VirtualTime time) {
    this.time = time;
  }

  /** Drops the disturbances of the last run. */
  void reset() {
    failingTurns = 0;
    failingWaits = 0;
    jumpNs = 0;
  }

  @Override
  public long nowNs() {
    return time.nowNs();
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
  public void failTurns(int turns) {
    failingTurns += turns;
  }

  /** Fails the next turns. */
  void beforeTurn() {
    if (failingTurns > 0) {
      failingTurns--;
      throw new IllegalStateException(Poison.TEXT);
    }
  }

  @Override
  public void failWaits(int waits) {
    failingWaits += waits;
  }

  /** Fails the next waits. */
  void beforeWait() {
    if (failingWaits > 0) {
      failingWaits--;
      throw new IllegalStateException(Poison.TEXT);
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
