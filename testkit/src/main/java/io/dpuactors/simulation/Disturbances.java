package io.dpuactors.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.typed.javadsl.ActorContext;

/** The disturbances of one run, at random times. World's thread. */
final class Disturbances {
  /** Largest number of disturbances of a run. */
  static final int MOST = 3;

  /** Percentage of additional fault plans, which have many forms. */
  private static final int FAULTS = 30;

  private static final int[] LATEST_NS = {10_000, 1_000_000, 100_000_000};

  /**
   * The message to a program to disturb its run.
   *
   * @param plan the fault plan of {@link Disturbance#FAULTS}
   */
  record Disturb(Disturbance what, String plan) {}

  private record Planned(Duration at, Disturb disturb) {}

  private final List<Planned> planned = new ArrayList<>();

  private Disturbances() {}

  /** Draws the disturbances of a run. A reduction drops some, and the others stay the same. */
  static Disturbances draw(Run run) {
    Disturbances drawn = new Disturbances();
    int count = run.draw(0, MOST);
    for (int number = 1; number <= count; number++) {
      int latest = LATEST_NS[run.draw(0, LATEST_NS.length - 1)];
      Duration at = Duration.ofNanos(run.draw(0, latest));
      Disturbance what = run.chance(FAULTS) ? Disturbance.FAULTS : run.oneOf(Disturbance.values());
      String plan = what == Disturbance.FAULTS ? FaultPlans.draw(run) : "";
      if (!run.reduction().dropped().contains(number)) {
        drawn.planned.add(new Planned(at, new Disturb(what, plan)));
      }
    }
    return drawn;
  }

  /** Returns whether nothing disturbs the run. */
  boolean isCalm() {
    return planned.isEmpty();
  }

  /** Sends each disturbance to the program at its time. */
  void schedule(ActorContext<Object> program) {
    planned.forEach(one -> program.scheduleOnce(one.at(), program.getSelf(), one.disturb()));
  }
}
