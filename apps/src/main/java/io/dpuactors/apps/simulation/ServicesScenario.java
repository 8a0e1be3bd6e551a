package io.dpuactors.apps.simulation;

import io.dpuactors.simulation.SimulatedScenario;
import io.dpuactors.simulation.SimulatedSystem;

/** The services of {@code dpu serve}, and clients of them, on two engines. */
public final class ServicesScenario implements SimulatedScenario {
  /** Creates the scenario. {@link java.util.ServiceLoader} calls this constructor. */
  public ServicesScenario() {}

  @Override
  public String name() {
    return "services";
  }

  @Override
  public void run(SimulatedSystem system) {
    new ServicesProgram(system).run();
  }
}
