package io.dpuactors.simulation;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * The executor of {@link CompletableFuture}'s methods without one: the world that the calling
 * thread runs. Without a world, and between two runs, stages use the executor that this one
 * replaced.
 */
final class FutureExecutor implements Executor {
  private static final String NAME = "future";
  private static final Executor REPLACED = new CompletableFuture<>().defaultExecutor();

  static {
    JdkFields.defaultExecutor(new FutureExecutor());
  }

  private FutureExecutor() {}

  /** Replaces the executor of the process with the first call. */
  static void install() {}

  @Override
  public void execute(Runnable task) {
    World world = World.running();
    if (world == null) {
      REPLACED.execute(task);
    } else {
      world.enqueue(NAME, task);
    }
  }
}
