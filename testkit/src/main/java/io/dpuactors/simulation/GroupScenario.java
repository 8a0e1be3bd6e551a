package io.dpuactors.simulation;

import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.engine.EngineGroup;
import io.dpuactors.engine.EngineOptions;
import io.dpuactors.engine.GroupOptions;
import io.dpuactors.protocol.EngineProtocol;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** An engine group with up to five contexts of tasks without keys, and a client of each. */
record GroupScenario() implements Scenario {
  static final int MAX_ENGINES = 3;
  private static final List<TaskLibrary> LIBRARIES =
      List.of(TaskLibrary.COMPRESS, TaskLibrary.DMA, TaskLibrary.SHA);

  @Override
  public String name() {
    return "group";
  }

  @Override
  public Behavior<Object> create(Run run) {
    return Behaviors.setup(
        context ->
            new TaskProgram(
                    LIBRARIES,
                    run,
                    context,
                    Disturbances.draw(run, TaskProgram.STATES),
                    options -> spawn(run, context, options),
                    TaskProgram.Form.GROUP)
                .behavior());
  }

  private static ActorRef<EngineProtocol.Command> spawn(
      Run run, ActorContext<Object> context, EngineOptions engine) {
    GroupOptions options = GroupOptions.of(run.draw(1, MAX_ENGINES)).withSettings(engine);
    return EngineGroup.spawn(context, "group", options);
  }
}
