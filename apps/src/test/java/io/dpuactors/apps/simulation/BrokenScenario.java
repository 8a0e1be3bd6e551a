package io.dpuactors.apps.simulation;

import io.dpuactors.simulation.SimulatedScenario;
import io.dpuactors.simulation.SimulatedSystem;

/** Breaks a promise with each seed. A process that runs a part of the seeds ends with status 3. */
public final class BrokenScenario implements SimulatedScenario {
  /** Creates the scenario. {@link java.util.ServiceLoader} calls this constructor. */
  public BrokenScenario() {}

  @Override
  public String name() {
    return "broken";
  }

  @Override
  public void run(SimulatedSystem system) {
    if (System.getProperty("sun.java.command", "").contains("--part")) {
      System.err.println("the last words");
      Runtime.getRuntime().halt(3);
    }
    system.fail("as intended");
  }
}
