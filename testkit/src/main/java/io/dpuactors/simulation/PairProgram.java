package io.dpuactors.simulation;

import io.dpuactors.protocol.Stopped;
import io.dpuactors.simulation.Disturbances.Disturb;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.BehaviorBuilder;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * A program between two engines, with its disturbances, its states and its end. A subclass adds the
 * work of the program. A program may be a part of another one, which has the engines, the
 * disturbances and the end. World's thread.
 */
abstract class PairProgram {
  final Run run;
  final ActorContext<Object> context;
  final Answers answers;
  final boolean isCalm;
  final EnginePair engines;
  final Disturbances disturbances;
  private final @Nullable PairProgram whole;
  private boolean isDone;

  /**
   * Creates a program.
   *
   * @param whole the program of which this one is a part; null: this one has its own engines
   */
  PairProgram(
      Run run,
      ActorContext<Object> context,
      Disturbances disturbances,
      @Nullable PairProgram whole) {
    this(run, context, disturbances, whole, TaskProgram.MAX_SLOTS);
  }

  /** Creates a program whose own engines have this number of task slots. */
  PairProgram(
      Run run,
      ActorContext<Object> context,
      Disturbances disturbances,
      @Nullable PairProgram whole,
      int slots) {
    this.run = run;
    this.context = context;
    this.disturbances = disturbances;
    this.whole = whole;
    this.isCalm = disturbances.isCalm();
    this.answers = new Answers(run);
    this.engines = whole == null ? new EnginePair(run, context, answers, slots) : whole.engines;
    context.watch(engines.dpu());
    context.watch(engines.host());
    run.explanations().begin();
  }

  /** Draws the disturbances of a program with these states. A part has those of the whole. */
  static Disturbances disturbances(Run run, List<String> states, @Nullable PairProgram whole) {
    return whole == null ? Disturbances.drawForHosts(run, states) : whole.disturbances;
  }

  /** Counts a command of a kind. Returns the receiver of its answer. */
  final <R> ActorRef<R> expect(String kind) {
    return answers.expect(kind, context.getSelf());
  }

  /** Returns the behavior of the program. Schedules the disturbances, except those of the whole. */
  final Behavior<Object> behavior() {
    if (whole == null) {
      disturbances.schedule(context);
      run.watch(this::place);
    }
    return work(Behaviors.receive(Object.class))
        .onMessage(Stopped.class, this::onStopped)
        .onMessage(Disturb.class, this::onDisturbance)
        .onMessage(Aim.Help.class, this::onHelp)
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

  /** Opens another context of the program's kind, which the program does not use. */
  abstract void openAnother(String name);

  /** Creates an object of a client of tasks for an aim, if the program has one. */
  void createAnother(Aim.Help help) {}

  /** Called before a disturbance. */
  void onDisturb(Disturb disturb) {}

  /** Called when a watched actor has ended. */
  void onEnd(ActorRef<?> actor) {}

  /** Called before the engines stop in order. */
  void onStop() {}

  /** Checks the program when nothing happens any more and the engines run. */
  void checkAtRest() {}

  /** Checks the results after the end of the engines. */
  abstract void check();

  /** Ends the work, so that the engines may stop. */
  final void done() {
    isDone = true;
    (whole == null ? this : whole).onDone();
  }

  /** Called when this program, or a part of it, has ended its work. */
  void onDone() {
    stop();
  }

  /** Returns whether all work has ended. */
  boolean isDone() {
    return isDone;
  }

  /** Stops the engines in order. */
  final void stop() {
    onStop();
    engines.stop();
  }

  /** Checks the answers and the results after the end of the engines. */
  final void checkEnd() {
    answers.check();
    check();
  }

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

  private Behavior<Object> onHelp(Aim.Help help) {
    help.open(run, context, engines.dpu()::tell, this::openAnother);
    createAnother(help);
    if (help.stops()) {
      stopEarly();
    }
    help.next().forEach(this::onDisturbance);
    return Behaviors.same();
  }

  /**
   * Called after a request, for an aim that stops the engines then.
   *
   * @param part the program of the request: a scenario
   */
  final void requested(String part) {
    if (whole != null) {
      whole.requested(part);
    } else if (Aim.stopsAtRequest(run, part)) {
      stopEarly();
    }
  }

  private void stopEarly() {
    if (!engines.isStopping()) {
      onDisturb(Aim.STOP);
      run.disturbed(Aim.STOP, place());
      stop();
    }
  }

  private Behavior<Object> onTerminated(Terminated signal) {
    onEnd(signal.getRef());
    engines.ended(signal.getRef());
    return Behaviors.same();
  }

  private Behavior<Object> onFinish() {
    if (!engines.haveEnded() && !engines.isStopping()) {
      run.check(!isCalm || isDone(), "the program is stuck");
      checkAtRest();
      stop();
      return Behaviors.same();
    }
    engines.check();
    checkEnd();
    return Behaviors.stopped();
  }
}
