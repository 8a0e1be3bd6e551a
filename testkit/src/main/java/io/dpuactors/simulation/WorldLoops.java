package io.dpuactors.simulation;

import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.loop.ManualLoop;
import java.util.ArrayList;
import java.util.List;

/** The loops of the engines that have not ended. World's thread. */
final class WorldLoops {
  private final SoftDpu device;
  private final HostClocks clocks;
  private final List<WorldLoop> loops = new ArrayList<>();
  private int hosts;

  WorldLoops(SoftDpu device, HostClocks clocks) {
    this.device = device;
    this.clocks = clocks;
  }

  void add(ManualLoop loop) {
    loops.add(new WorldLoop(loop, device, clocks, ++hosts));
  }

  void remove(WorldLoop loop) {
    loops.remove(loop);
  }

  /** Returns the loops that may find work; see {@link WorldLoop#isRunnable}. */
  List<WorldLoop> runnable(long news, long nowNs) {
    List<WorldLoop> runnable = new ArrayList<>(loops.size());
    for (WorldLoop loop : loops) {
      if (loop.isRunnable(news, nowNs)) {
        runnable.add(loop);
      }
    }
    return runnable;
  }

  /** Returns the first time of {@link WorldLoop#dueNs}; {@code Long.MAX_VALUE} if none. */
  long dueNs() {
    long next = Long.MAX_VALUE;
    for (WorldLoop loop : loops) {
      next = Math.min(next, loop.dueNs());
    }
    return next;
  }

  /**
   * Kills the host of an engine; see {@link WorldLoop#kill}.
   *
   * @return false if the host is dead, or if the engine has ended
   */
  boolean kill(String name, long nowNs) {
    for (WorldLoop loop : loops) {
      if (loop.loop().toString().equals(name)) {
        return loop.kill(nowNs);
      }
    }
    return false;
  }
}
