package io.dpuactors.context;

import java.util.function.Consumer;

/** Steps that all run, also after one of them has thrown. */
public final class Steps {
  private Steps() {}

  /**
   * Runs the steps in order. This method does not throw. An actor that throws at its end would
   * start again: Pekko's supervisor restarts it also then.
   *
   * @param failed accepts the exception of each step that throws
   */
  public static void all(Consumer<RuntimeException> failed, Runnable... steps) {
    for (Runnable step : steps) {
      try {
        step.run();
      } catch (RuntimeException e) {
        failed.accept(e);
      }
    }
  }
}
