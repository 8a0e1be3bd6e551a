package io.dpuactors.apps.simulation;

import io.dpuactors.simulation.SimulatedScenario;
import io.dpuactors.simulation.SimulatedSystem;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.stream.SystemMaterializer;

/** Graphs of streams: flows of tasks, and connections between two engines. */
public final class StreamsScenario implements SimulatedScenario {
  /** Creates the scenario. {@link java.util.ServiceLoader} calls this constructor. */
  public StreamsScenario() {}

  @Override
  public String name() {
    return "streams";
  }

  @Override
  public void prepare(ActorSystem<?> system) {
    SystemMaterializer.get(system);
  }

  @Override
  public void run(SimulatedSystem system) {
    new StreamsProgram(system).run();
  }
}
