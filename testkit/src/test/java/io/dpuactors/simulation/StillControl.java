package io.dpuactors.simulation;

import io.dpuactors.loop.ActorMoment;

/** A clock that the test moves. Records the disturbances. */
final class StillControl implements RunControl {
  long nowNs;
  long jumpedNs;
  int failedTurns;
  int failedWaits;
  boolean isEngineWaiting;

  @Override
  public void observe(Runnable afterStep) {}

  @Override
  public long nowNs() {
    return nowNs;
  }

  @Override
  public void moveEngine(String name) {}

  @Override
  public void killHost(String name) {}

  @Override
  public void jump(long ns) {
    jumpedNs += ns;
  }

  @Override
  public void failTurns(int turns) {
    failedTurns += turns;
  }

  @Override
  public void failWaits(int waits) {
    failedWaits += waits;
  }

  @Override
  public void failAt(ActorMoment moment) {}

  @Override
  public boolean isEngineWaiting() {
    return isEngineWaiting;
  }
}
