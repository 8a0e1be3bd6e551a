package io.dpuactors.simulation;

import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.Stop;
import io.dpuactors.simulation.Disturbances.Disturb;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** The disturbances of a user's code: of its engines and contexts. World's thread. */
final class ProgramDisturbances {
  private final Run run;
  private final List<ActorRef<EngineProtocol.Command>> engines;
  private final List<ActorRef<?>> running;
  private final List<ActorRef<Object>> contexts;
  private final Supplier<String> state;
  private final Consumer<ActorRef<EngineProtocol.Command>> kill;
  private final Disturbances planned;

  /**
   * Draws the disturbances.
   *
   * @param engines all engines of the run
   * @param contexts contexts and connections; the program may add others
   * @param states of the program
   * @param state returns the current state
   * @param kill ends an engine without its help
   */
  ProgramDisturbances(
      Run run,
      List<ActorRef<EngineProtocol.Command>> engines,
      List<ActorRef<Object>> contexts,
      List<String> states,
      Supplier<String> state,
      Consumer<ActorRef<EngineProtocol.Command>> kill) {
    this.run = run;
    this.engines = engines;
    this.running = new ArrayList<>(engines);
    this.contexts = contexts;
    this.state = state;
    this.kill = kill;
    this.planned = Disturbances.drawForUser(run, states);
  }

  /** Returns whether nothing disturbs the run. */
  boolean isCalm() {
    return planned.isCalm();
  }

  /** Returns the behavior of the actor that disturbs the run. */
  Behavior<Object> behavior() {
    return Behaviors.setup(
        context -> {
          engines.forEach(context::watch);
          planned.schedule(context);
          run.watch(this::place);
          return Behaviors.receive(Object.class)
              .onMessage(Disturb.class, disturb -> onDisturbance(context, disturb))
              .onSignal(Terminated.class, this::onTerminated)
              .build();
        });
  }

  private Behavior<Object> onTerminated(Terminated signal) {
    running.remove(signal.getRef());
    return Behaviors.same();
  }

  private String place() {
    return Coverage.place(run.scenario(), state.get());
  }

  private Behavior<Object> onDisturbance(ActorContext<Object> context, Disturb disturb) {
    if (disturb.waits(run, state.get(), context)) {
      return Behaviors.same();
    }
    run.disturbed(disturb, place());
    ActorRef<EngineProtocol.Command> engine = engines.get(run.draw(0, engines.size() - 1));
    switch (disturb.what()) {
      case STOP_CONTEXT -> target(one -> one.tell(new Stop()));
      case BREAK_CONTEXT -> target(one -> one.tell(PoisonSignal.NOW));
      case KILL_CONTEXT ->
          target(one -> Adapter.toClassic(one).tell(PoisonPill.getInstance(), null));
      case FAIL_START, FAIL_STOP, FAIL_RESTART, FAIL_SUBMIT -> {
        Object message = disturb.failing(run, PoisonSignal.NOW);
        target(one -> one.tell(message));
      }
      case STOP_ENGINE -> engine.tell(new Stop());
      case BREAK_ENGINE -> engine.<Object>unsafeUpcast().tell(PoisonSignal.NOW);
      case KILL_ENGINE -> kill.accept(engine);
      case KILL_HOST -> run.killHost(engine);
      case FAIL_TURNS, FAIL_WAITS, JUMP_CLOCK, FAULTS -> run.disturbDevice(disturb);
      case STOP_SYSTEM -> throw new IllegalStateException("not of a user's program");
    }
    return Behaviors.same();
  }

  private void target(Consumer<ActorRef<Object>> action) {
    if (!contexts.isEmpty()) {
      action.accept(contexts.get(run.draw(0, contexts.size() - 1)));
    }
  }

  /** Fails the run if an engine has not ended. */
  void check() {
    run.check(running.isEmpty(), "%d engines did not end", running.size());
  }
}
