package io.dpuactors.simulation;

import io.dpuactors.loop.ActorMoment;
import java.util.EnumMap;
import java.util.Map;

/** A clock that the test moves. Records the disturbances. */
final class StillControl implements RunControl {
  long nowNs;
  long jumpedNs;
  int failedTurns;
  int failedWaits;
  final Map<ActorMoment, Integer> failedActors = new EnumMap<>(ActorMoment.class);
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
  public void failAt(ActorMoment moment, int actors) {
    failedActors.merge(moment, actors, Integer::sum);
  }

  @Override
  public boolean isEngineWaiting() {
    return isEngineWaiting;
  }
}
