package io.dpuactors.simulation;

import io.dpuactors.engine.Engine;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.jspecify.annotations.Nullable;

/**
 * The two engines of a program, {@code dpu} and {@code host}, until their end. Their clocks differ.
 * World's thread.
 */
final class EnginePair {
  /** PCI addresses of the devices that the contexts of pairs use. */
  static final String DPU_DEVICE = "03:00.0";

  static final String HOST_DEVICE = "81:00.0";

  private final Run run;
  private final ActorContext<Object> context;
  private final Answers answers;
  private final List<ActorRef<EngineProtocol.Command>> engines = new ArrayList<>();
  private final List<ActorRef<?>> running = new ArrayList<>();
  private boolean isStopping;

  /**
   * Spawns the engines. The actor receives a {@link Stopped} of each.
   *
   * @param answers counts the stops
   * @param slots number of tasks that the bridge and the device may hold, of each engine
   */
  EnginePair(Run run, ActorContext<Object> context, Answers answers, int slots) {
    this.run = run;
    this.context = context;
    this.answers = answers;
    run.moveEngine("host");
    for (String name : List.of("dpu", "host")) {
      engines.add(Engine.spawn(context, name, TaskProgram.engineOptions(run, slots)));
    }
    running.addAll(engines);
  }

  ActorRef<EngineProtocol.Command> dpu() {
    return engines.get(0);
  }

  ActorRef<EngineProtocol.Command> host() {
    return engines.get(1);
  }

  /** Returns whether {@link #stop} was called. */
  boolean isStopping() {
    return isStopping;
  }

  boolean haveEnded() {
    return running.isEmpty();
  }

  /** Accepts the end of an actor. */
  void ended(ActorRef<?> actor) {
    running.remove(actor);
  }

  /** Accepts the answer of an engine. */
  void onStopped(Stopped stopped) {
    answers.answered("stop");
    run.note("stopped " + stopped.clean());
  }

  /** Stops both engines, once. */
  void stop() {
    if (!isStopping) {
      isStopping = true;
      engines.forEach(this::stop);
    }
  }

  private void stop(ActorRef<EngineProtocol.Command> engine) {
    engine.tell(new Stop(answers.<Stopped>expect("stop", context.getSelf())));
  }

  /**
   * Disturbs the program.
   *
   * @param target a context or a connection; null: none
   */
  void disturb(Disturbances.Disturb disturb, @Nullable ActorRef<Object> target) {
    ActorRef<EngineProtocol.Command> engine = engines.get(run.draw(0, engines.size() - 1));
    switch (disturb.what()) {
      case STOP_CONTEXT -> tell(target, new Stop());
      case BREAK_CONTEXT -> tell(target, PoisonSignal.NOW);
      case KILL_CONTEXT -> {
        if (target != null) {
          Adapter.toClassic(target).tell(PoisonPill.getInstance(), null);
        }
      }
      case FAIL_START, FAIL_STOP, FAIL_RESTART, FAIL_SUBMIT ->
          tell(target, disturb.failing(run, PoisonSignal.NOW));
      case STOP_SYSTEM -> context.getSystem().terminate();
      case STOP_ENGINE -> stop(engine);
      case BREAK_ENGINE -> engine.<Object>unsafeUpcast().tell(PoisonSignal.NOW);
      case KILL_ENGINE -> context.stop(engine);
      case KILL_HOST -> run.killHost(engine);
      case FAIL_TURNS, FAIL_WAITS, JUMP_CLOCK, FAULTS -> run.disturbDevice(disturb);
    }
  }

  /** Sends a message, if there is a receiver. */
  static void tell(@Nullable ActorRef<Object> to, Object message) {
    if (to != null) {
      to.tell(message);
    }
  }

  /** Fails the run if an engine has not ended. */
  void check() {
    run.check(running.isEmpty(), "%d engines did not end", running.size());
  }
}
