package io.dpuactors.simulation;

import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.engine.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * An engine with up to five contexts of tasks, and a client of each.
 *
 * @param first returns the library of the first context; the others are of any library
 */
record TaskScenario(String name, TaskProgram.Form form, Function<Run, TaskLibrary> first)
    implements Scenario {
  private static final String ENGINE = "one";

  /** Returns single requests; the first context is one of this library. */
  static TaskScenario of(TaskLibrary library) {
    return new TaskScenario(library.shortName(), TaskProgram.Form.TASKS, run -> library);
  }

  /** Returns batches and some single requests of any library. */
  static TaskScenario ofBatches() {
    return new TaskScenario("batches", TaskProgram.Form.BATCHES, TaskScenario::anyLibrary);
  }

  private static TaskLibrary anyLibrary(Run run) {
    return switch (Aim.row(run)) {
      case "alloc-key" -> TaskLibrary.AES_GCM;
      case "alloc-matrix" -> TaskLibrary.ERASURE_CODING;
      default -> run.oneOf(TaskModel.libraries().toArray(TaskLibrary[]::new));
    };
  }

  @Override
  public Behavior<Object> create(Run run) {
    List<TaskLibrary> libraries = new ArrayList<>(TaskModel.libraries());
    TaskLibrary one = first.apply(run);
    libraries.remove(one);
    libraries.add(0, one);
    return Behaviors.setup(
        context ->
            new TaskProgram(
                    libraries,
                    run,
                    context,
                    Disturbances.draw(run, TaskProgram.STATES),
                    options -> Engine.spawn(context, ENGINE, options),
                    form)
                .behavior());
  }

  /** The program runs on the engine's thread or on another one. */
  @Override
  public Props props(ActorSystem<?> system, Run run) {
    return run.chance(50) ? Engine.props(system, ENGINE) : DispatcherSelector.defaultDispatcher();
  }
}
