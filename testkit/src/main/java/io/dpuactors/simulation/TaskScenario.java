package io.dpuactors.simulation;

import io.dpuactors.engine.Engine;
import io.dpuactors.protocol.TaskOptions;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** An engine with one context of tasks, and a program that sends requests. */
record TaskScenario(TaskModel model) implements Scenario {
  /** Name of the engine. */
  static final String ENGINE = "one";

  @Override
  public String name() {
    return model.name();
  }

  @Override
  public Behavior<Object> create(Run run) {
    return Behaviors.setup(
        context -> new TaskProgram(model, run, context, options(run)).behavior());
  }

  /** The program runs on the engine's thread or on another one. */
  @Override
  public DispatcherSelector dispatcher(ActorSystem<?> system, Run run) {
    return run.chance(50) ? Engine.props(system, ENGINE) : DispatcherSelector.defaultDispatcher();
  }

  private static TaskOptions options(Run run) {
    return TaskOptions.defaults()
        .withWindow(run.oneOf(1, 2, 4, 16))
        .withQueue(run.oneOf(0, 1, 8, 64))
        .withDeadline(
            java.time.Duration.ofNanos(
                run.oneOf(50_000L, 5_000_000L, 1_000_000_000L, 30_000_000_000L)));
  }
}
