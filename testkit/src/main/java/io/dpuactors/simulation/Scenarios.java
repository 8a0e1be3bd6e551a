package io.dpuactors.simulation;

import io.dpuactors.bridge.TaskLibrary;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** All scenarios by name. */
final class Scenarios {
  /** Scenarios of other modules. */
  static final List<SimulatedScenario> PROVIDED =
      ServiceLoader.load(SimulatedScenario.class, Scenarios.class.getClassLoader()).stream()
          .map(ServiceLoader.Provider::get)
          .sorted(Comparator.comparing(SimulatedScenario::name))
          .toList();

  private static final String MIXED = "mixed";

  static final Map<String, Supplier<Scenario>> ALL = all();

  private record Program(
      String name, BiFunction<Run, ActorContext<Object>, Behavior<Object>> program)
      implements Scenario {
    @Override
    public Behavior<Object> create(Run run) {
      return Behaviors.setup(context -> program.apply(run, context));
    }

    /** The parts of a mixed program wait for each other's steps. */
    @Override
    public Pace pace(Pace drawn) {
      return name.equals(MIXED) ? drawn.slower() : drawn;
    }
  }

  private Scenarios() {}

  private static Map<String, Supplier<Scenario>> all() {
    Map<String, Supplier<Scenario>> all = new LinkedHashMap<>();
    for (TaskLibrary library : TaskModel.libraries()) {
      all.put(library.shortName(), () -> TaskScenario.of(library));
    }
    all.put("batches", TaskScenario::ofBatches);
    all.put("group", GroupScenario::new);
    all.put(
        "comch",
        () -> new Program("comch", (run, me) -> ComchProgram.create(run, me, null).behavior()));
    all.put(
        "rdma", () -> new Program("rdma", (run, me) -> new RdmaProgram(run, me, null).behavior()));
    all.put(
        "sync-event",
        () ->
            new Program("sync-event", (run, me) -> new SyncEventProgram(run, me, null).behavior()));
    all.put(MIXED, () -> new Program(MIXED, (run, me) -> new MixedProgram(run, me).behavior()));
    for (SimulatedScenario provided : PROVIDED) {
      String name = provided.name();
      if (all.put(name, () -> new ProgramScenario(name, "", provided::run)) != null) {
        throw new IllegalStateException("two scenarios have the name " + name);
      }
    }
    return all;
  }
}
