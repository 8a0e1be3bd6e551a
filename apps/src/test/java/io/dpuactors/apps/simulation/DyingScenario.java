package io.dpuactors.apps.simulation;

import io.dpuactors.simulation.SimulatedScenario;
import io.dpuactors.simulation.SimulatedSystem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;

/** Ends or stops its process in some seeds. The other seeds do nothing. */
public final class DyingScenario implements SimulatedScenario {
  /** The seed whose process is killed. */
  static final long KILLED = 3;

  /** The seed that has no end. */
  static final long ENDLESS = 5;

  /** Creates the scenario. {@link java.util.ServiceLoader} calls this constructor. */
  public DyingScenario() {}

  @Override
  public String name() {
    return "dying";
  }

  @Override
  public void run(SimulatedSystem system) {
    if (system.seed() == KILLED) {
      kill();
    }
    if (system.seed() == KILLED || system.seed() == ENDLESS) {
      stand();
    }
  }

  private static void kill() {
    try {
      new ProcessBuilder("kill", "-9", Long.toString(ProcessHandle.current().pid())).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void stand() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
