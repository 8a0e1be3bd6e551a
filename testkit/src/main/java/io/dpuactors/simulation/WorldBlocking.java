package io.dpuactors.simulation;

import java.util.function.Supplier;
import scala.Function0;
import scala.concurrent.BlockContext;
import scala.concurrent.BlockContext$;
import scala.concurrent.CanAwait;

/** Runs all other work of a {@link World} before Pekko blocks its thread for a result. */
record WorldBlocking(World world) implements BlockContext {
  /** Number of steps of other work that has no end. */
  private static final int MAX_STEPS = 100_000;

  /** Runs code that may block the thread of a world. */
  static <T> T run(World world, Supplier<T> body) {
    return BlockContext$.MODULE$.withBlockContext(new WorldBlocking(world), body::get);
  }

  /**
   * Runs the other work, then the wait.
   *
   * @throws IllegalStateException if the other work has no end
   */
  @Override
  public <T> T blockOn(Function0<T> wait, CanAwait permission) {
    for (int steps = 0; steps < MAX_STEPS; steps++) {
      if (!world.runOne()) {
        return wait.apply();
      }
    }
    throw new IllegalStateException(
        "a wait that blocks the simulation has no end: other actors ran %d steps (do not block)"
            .formatted(MAX_STEPS));
  }
}
