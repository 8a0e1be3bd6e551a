package io.dpuactors.apps.simulation;

import io.dpuactors.simulation.SimulatedScenario;
import io.dpuactors.simulation.SimulatedSystem;

/** Fails while it has more than 8 requests. */
public final class CrowdedScenario implements SimulatedScenario {
  private static final int REQUESTS = 100;
  private static final int MOST = 8;

  /** Creates the scenario. {@link java.util.ServiceLoader} calls this constructor. */
  public CrowdedScenario() {}

  @Override
  public String name() {
    return "crowded";
  }

  @Override
  public void run(SimulatedSystem system) {
    int requests = system.requests(REQUESTS);
    if (requests > MOST) {
      system.fail(requests + " requests");
    }
  }
}
