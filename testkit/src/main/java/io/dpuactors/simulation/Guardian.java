package io.dpuactors.simulation;

import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ChildFailed;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/** The parent of each run's actor. */
final class Guardian {
  /** A message to the guardian. */
  sealed interface Command permits Begin, Finish {}

  /** Begins a run. */
  record Begin(Run run, Behavior<Object> behavior, Props props) implements Command {}

  /** Asks the actor of the run to check its results and to stop. */
  record Finish() implements Command {}

  private @Nullable Run run;
  private @Nullable ActorRef<Object> actor;

  Behavior<Command> behavior() {
    return Behaviors.setup(
        context ->
            Behaviors.receive(Command.class)
                .onMessage(Begin.class, begin -> onBegin(context, begin))
                .onMessage(Finish.class, finish -> onFinish())
                .onSignal(Terminated.class, this::onTerminated)
                .onSignal(PostStop.class, signal -> idle())
                .build());
  }

  /** Returns whether the actor of the run has ended. */
  boolean isIdle() {
    return actor == null;
  }

  /** Returns the actor of the run; null if none runs. */
  @Nullable ActorRef<Object> actor() {
    return actor;
  }

  private Behavior<Command> onBegin(ActorContext<Command> context, Begin begin) {
    run = begin.run();
    actor = context.spawn(begin.behavior(), "run", begin.props());
    context.watch(actor);
    return Behaviors.same();
  }

  private Behavior<Command> onFinish() {
    if (actor != null) {
      actor.tell(Scenario.Finish.NOW);
    }
    return Behaviors.same();
  }

  private Behavior<Command> onTerminated(Terminated signal) {
    if (run != null && signal instanceof ChildFailed failed) {
      run.fail("the actor of the scenario failed: " + failed.cause());
    }
    return idle();
  }

  /** The actor of the run has ended, perhaps with the actor system. */
  private Behavior<Command> idle() {
    run = null;
    actor = null;
    return Behaviors.same();
  }
}
