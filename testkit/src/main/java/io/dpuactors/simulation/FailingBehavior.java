package io.dpuactors.simulation;

import java.util.EnumSet;
import java.util.Set;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.BehaviorInterceptor;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.PreRestart;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Lets the behavior of a user throw. World's thread. */
final class FailingBehavior<T> extends BehaviorInterceptor<T, T> {
  /** A time at which a behavior throws. */
  enum Moment {
    START("start", 30),
    STOP("stop", 50),
    /** Before a restart. */
    RESTART("restart", 150),
    /** After the behavior has handled a message. Each one is rare, because there are many. */
    MESSAGE("message", 3);

    /** For behaviors whose parent does not restart them. */
    static final Set<Moment> OF_ACTORS = EnumSet.of(START, STOP);

    /** For behaviors that may end while others wait for them. */
    static final Set<Moment> OF_CLIENTS = EnumSet.of(START, STOP, MESSAGE);

    /** For behaviors whose parent may restart them. */
    static final Set<Moment> OF_SERVICES = EnumSet.of(START, STOP, RESTART);

    private final String word;
    private final int permille;

    Moment(String word, int permille) {
      this.word = word;
      this.permille = permille;
    }

    /** Returns the name of the case for the results. */
    @Override
    public String toString() {
      return "behavior throws at " + word;
    }
  }

  private final Run run;
  private final Set<Moment> moments;

  private FailingBehavior(Run run, Class<T> type, Set<Moment> moments) {
    super(type);
    this.run = run;
    this.moments = moments;
  }

  /**
   * Returns a behavior that sometimes fails.
   *
   * @param isCalm whether nothing disturbs the run: then the behavior never fails
   */
  static <T> Behavior<T> of(
      Run run, boolean isCalm, Class<T> type, Set<Moment> moments, Behavior<T> behavior) {
    return isCalm
        ? behavior
        : Behaviors.intercept(() -> new FailingBehavior<>(run, type, moments), behavior);
  }

  /** Throws in some cases. */
  private void at(Moment moment) {
    if (moments.contains(moment) && run.draw(1, 1_000) <= moment.permille && run.mayThrow()) {
      run.reached(moment.toString());
      throw new IllegalStateException(Poison.TEXT);
    }
  }

  @Override
  public Behavior<T> aroundStart(TypedActorContext<T> context, PreStartTarget<T> target) {
    at(Moment.START);
    return target.start(context);
  }

  @Override
  public Behavior<T> aroundReceive(
      TypedActorContext<T> context, T message, ReceiveTarget<T> target) {
    Behavior<T> next = target.apply(context, message);
    at(Moment.MESSAGE);
    return next;
  }

  @Override
  public Behavior<T> aroundSignal(
      TypedActorContext<T> context, Signal signal, SignalTarget<T> target) {
    Behavior<T> next = target.apply(context, signal);
    if (signal instanceof PostStop) {
      at(Moment.STOP);
    } else if (signal instanceof PreRestart) {
      at(Moment.RESTART);
    }
    return next;
  }
}
