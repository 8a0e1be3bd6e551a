package io.dpuactors.simulation;

import io.dpuactors.loop.ActorMoment;
import io.dpuactors.protocol.Stop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.jspecify.annotations.Nullable;

/** The disturbances of one run, at random times. World's thread. */
final class Disturbances {
  /** Largest number of disturbances of a run. */
  static final int MOST = 3;

  /** Percentage of additional fault plans, which have many forms. */
  private static final int FAULTS = 30;

  /** Percentage of stops that stop the actor system: the next run needs a new one. */
  private static final int SYSTEMS = 30;

  private static final int[] LATEST_NS = {10_000, 1_000_000, 100_000_000};

  /** Number of times that a disturbance waits for its state. */
  static final int MAX_WAITS = 30;

  /** Chance of a disturbance that waits for a state, in percent. */
  private static final int WAITS = 60;

  private static final int MAX_WAIT_NS = 100_000;

  /**
   * An engine that ends without Stop waits for its leases. The engine that waits last returns
   * first, because a world has one thread. Therefore one engine waits at a time. No host dies
   * meanwhile, because a step of its engine may be the one that waits.
   */
  private static final Set<Disturbance> ENDS_OF_ENGINES =
      EnumSet.of(
          Disturbance.BREAK_ENGINE,
          Disturbance.KILL_ENGINE,
          Disturbance.KILL_HOST,
          Disturbance.STOP_SYSTEM,
          Disturbance.FAIL_SUBMIT,
          Disturbance.FAIL_TURNS,
          Disturbance.FAIL_WAITS);

  /** Actors of the library throw at a moment of their lives. */
  private static final Disturbance[] MOMENTS = {
    Disturbance.FAIL_START, Disturbance.FAIL_STOP, Disturbance.FAIL_RESTART
  };

  private static final Disturbance[] DRAWN =
      EnumSet.complementOf(
              EnumSet.of(
                  Disturbance.FAIL_START,
                  Disturbance.FAIL_STOP,
                  Disturbance.FAIL_RESTART,
                  Disturbance.FAIL_SUBMIT,
                  Disturbance.FAIL_WAITS,
                  Disturbance.KILL_HOST,
                  Disturbance.STOP_SYSTEM))
          .toArray(new Disturbance[0]);

  /**
   * The message to a program to disturb its run.
   *
   * @param plan the fault plan of {@link Disturbance#FAULTS}
   * @param state state of the program in which it should happen; empty: any
   * @param waits number of times that it may still wait for the state
   */
  record Disturb(Disturbance what, String plan, String state, int waits) {
    /**
     * Returns whether the disturbance waits. If so, sends it to the program again a bit later, or
     * drops it after its last wait.
     */
    boolean waits(Run run, String current, ActorContext<Object> program) {
      boolean mayHappen = !ENDS_OF_ENGINES.contains(what) || !run.isEngineWaiting();
      if (mayHappen && (waits == 0 || state.isEmpty() || state.equals(current))) {
        return false;
      }
      if (waits > 0) {
        Duration later = Duration.ofNanos(run.draw(1, MAX_WAIT_NS));
        program.scheduleOnce(later, program.getSelf(), new Disturb(what, plan, state, waits - 1));
      }
      return true;
    }

    /**
     * Lets the next actors throw at a moment of their lives.
     *
     * @param broken the message that breaks the target
     * @return the message that leads the target to this moment
     */
    Object failing(Run run, Object broken) {
      run.disturbDevice(this);
      boolean stops =
          what == Disturbance.FAIL_STOP || (what != Disturbance.FAIL_RESTART && run.chance(50));
      return stops ? new Stop() : broken;
    }

    /** Returns the moment at which actors throw. */
    ActorMoment moment() {
      return switch (what) {
        case FAIL_START -> ActorMoment.START;
        case FAIL_STOP -> ActorMoment.STOP;
        case FAIL_RESTART -> ActorMoment.RESTART;
        case FAIL_SUBMIT -> ActorMoment.SUBMIT;
        default -> throw new IllegalArgumentException("not of the device: " + what);
      };
    }
  }

  private record Planned(Duration at, Disturb disturb) {}

  private final List<Planned> planned = new ArrayList<>();
  private final @Nullable Aim aim;

  private Disturbances(@Nullable Aim aim) {
    this.aim = aim;
  }

  /**
   * Draws the disturbances of a run. A reduction drops some, and the others stay the same.
   *
   * @param states of the program: many disturbances wait for one of them
   */
  static Disturbances draw(Run run, List<String> states) {
    return draw(run, states, EnumSet.of(Disturbance.STOP_SYSTEM));
  }

  /** Does the same for a program whose engines are hosts: {@link Disturbance#KILL_HOST} too. */
  static Disturbances drawForHosts(Run run, List<String> states) {
    return draw(run, states, EnumSet.of(Disturbance.STOP_SYSTEM, Disturbance.KILL_HOST));
  }

  /** Does the same for a user's program, which needs the actor system until its end. */
  static Disturbances drawForUser(Run run, List<String> states) {
    return draw(run, states, EnumSet.of(Disturbance.KILL_HOST));
  }

  /** Draws disturbances, or an aim. Of the rare ones, only those of the set. */
  private static Disturbances draw(Run run, List<String> states, Set<Disturbance> rare) {
    Disturbances drawn = new Disturbances(Aim.of(run));
    int count = drawn.aim == null ? run.draw(0, MOST) : 0;
    for (int number = 1; number <= count; number++) {
      int latest = LATEST_NS[run.draw(0, LATEST_NS.length - 1)];
      Duration at = Duration.ofNanos(run.draw(0, latest));
      Disturbance what = drawOne(run, number, rare);
      String plan = what == Disturbance.FAULTS ? FaultPlans.draw(run) : "";
      String state = run.chance(WAITS) ? states.get(run.draw(0, states.size() - 1)) : "";
      if (!run.reduction().dropped().contains(number)) {
        drawn.planned.add(new Planned(at, new Disturb(what, plan, state, MAX_WAITS)));
      }
    }
    if (!drawn.isCalm()) {
      run.expectFailures();
    }
    return drawn;
  }

  /** Few disturbances draw twice, so that the runs of the others stay the same. */
  private static Disturbance drawOne(Run run, int number, Set<Disturbance> rare) {
    Disturbance drawn = run.chance(FAULTS) ? Disturbance.FAULTS : run.oneOf(DRAWN);
    return switch (drawn) {
      case BREAK_CONTEXT -> run.chance(50) ? run.oneOf(MOMENTS) : drawn;
      case FAIL_TURNS -> run.oneOf(drawn, Disturbance.FAIL_WAITS, Disturbance.FAIL_SUBMIT);
      case KILL_ENGINE ->
          rare.contains(Disturbance.KILL_HOST) && run.chance(50) ? Disturbance.KILL_HOST : drawn;
      case STOP_ENGINE ->
          rare.contains(Disturbance.STOP_SYSTEM) && stopsSystem(run.seed(), number)
              ? Disturbance.STOP_SYSTEM
              : drawn;
      default -> drawn;
    };
  }

  /** Takes no random numbers of the run: a run that only stops an engine keeps its order. */
  private static boolean stopsSystem(long seed, int number) {
    return new SplittableRandom(Long.rotateLeft(seed, 32) + number).nextInt(100) < SYSTEMS;
  }

  /** Returns whether nothing disturbs the run. */
  boolean isCalm() {
    return planned.isEmpty() && (aim == null || aim.isCalm());
  }

  /** Sends each disturbance to the program at its time. */
  void schedule(ActorContext<Object> program) {
    planned.forEach(one -> program.scheduleOnce(one.at(), program.getSelf(), one.disturb()));
    if (aim != null) {
      aim.begin(program.getSelf());
    }
  }
}
