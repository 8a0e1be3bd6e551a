package io.dpuactors.simulation;

import io.dpuactors.protocol.Stopped;
import io.dpuactors.simulation.Disturbances.Disturb;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.BehaviorBuilder;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * A program between two engines, with its disturbances, its states and its end. A subclass adds the
 * work of the program. World's thread.
 */
abstract class PairProgram {
  final Run run;
  final ActorContext<Object> context;
  final Answers answers;
  final boolean isCalm;
  final EnginePair engines;
  private final Disturbances disturbances;

  PairProgram(Run run, ActorContext<Object> context, Disturbances disturbances) {
    this.run = run;
    this.context = context;
    this.disturbances = disturbances;
    this.isCalm = disturbances.isCalm();
    this.answers = new Answers(run);
    this.engines = new EnginePair(run, context, answers);
    run.explanations().begin();
  }

  /** Counts a command of a kind. Returns the receiver of its answer. */
  final <R> ActorRef<R> expect(String kind) {
    return answers.expect(kind, context.getSelf());
  }

  /** Schedules the disturbances and returns the behavior of the program. */
  final Behavior<Object> behavior() {
    disturbances.schedule(context);
    run.watch(this::place);
    return work(Behaviors.receive(Object.class))
        .onMessage(Stopped.class, this::onStopped)
        .onMessage(Disturb.class, this::onDisturbance)
        .onMessage(Scenario.Finish.class, finish -> onFinish())
        .onSignal(Terminated.class, this::onTerminated)
        .build();
  }

  /** Adds the handlers of the program's own messages. */
  abstract BehaviorBuilder<Object> work(BehaviorBuilder<Object> builder);

  /** Returns the state of the program while its engines run, for the table of coverage. */
  abstract String workState();

  /** Returns a random context, connection or listener to disturb; null: none. */
  abstract @Nullable ActorRef<Object> target();

  /** Called before a disturbance. */
  void onDisturb(Disturb disturb) {}

  /** Called when a watched actor has ended. */
  void onEnd(ActorRef<?> actor) {}

  /** Checks the program when nothing happens any more and the engines run. */
  void checkAtRest() {}

  /** Checks the results after the end of the engines. */
  abstract void check();

  private Behavior<Object> onStopped(Stopped stopped) {
    engines.onStopped(stopped);
    return Behaviors.same();
  }

  private String state() {
    if (engines.isStopping()) {
      return engines.haveEnded() ? "ended" : "stopping";
    }
    return workState();
  }

  private String place() {
    return Coverage.place(run.scenario(), state());
  }

  private Behavior<Object> onDisturbance(Disturb disturb) {
    if (!disturb.waits(run, state(), context)) {
      onDisturb(disturb);
      run.disturbed(disturb, place());
      engines.disturb(disturb, target());
    }
    return Behaviors.same();
  }

  private Behavior<Object> onTerminated(Terminated signal) {
    onEnd(signal.getRef());
    engines.ended(signal.getRef());
    return Behaviors.same();
  }

  private Behavior<Object> onFinish() {
    if (!engines.haveEnded() && !engines.isStopping()) {
      run.check(!isCalm, "the program is stuck");
      checkAtRest();
      engines.stop();
      return Behaviors.same();
    }
    engines.check();
    answers.check();
    check();
    return Behaviors.stopped();
  }
}
