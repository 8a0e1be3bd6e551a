package io.dpuactors.simulation;

import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.engine.Engine;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * An engine with up to three contexts of tasks, and a client of each. The first context is one of
 * this library, the others are of any library.
 */
record TaskScenario(TaskLibrary library) implements Scenario {
  private static final String ENGINE = "one";

  @Override
  public String name() {
    return library.shortName();
  }

  @Override
  public Behavior<Object> create(Run run) {
    List<TaskLibrary> libraries = new ArrayList<>(List.of(TaskLibrary.values()));
    libraries.remove(library);
    libraries.add(0, library);
    return Behaviors.setup(
        context ->
            new TaskProgram(
                    libraries,
                    run,
                    context,
                    Engine.spawn(context, ENGINE, TaskProgram.engineOptions(run)))
                .behavior());
  }

  /** The program runs on the engine's thread or on another one. */
  @Override
  public DispatcherSelector dispatcher(ActorSystem<?> system, Run run) {
    return run.chance(50) ? Engine.props(system, ENGINE) : DispatcherSelector.defaultDispatcher();
  }
}
