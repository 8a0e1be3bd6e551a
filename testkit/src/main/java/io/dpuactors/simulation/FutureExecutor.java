package io.dpuactors.simulation;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;

/**
 * The executor of {@link CompletableFuture}'s methods without one: the world that the calling
 * thread runs. Without a world, and between two runs, stages use the executor that this one
 * replaced.
 *
 * <p>The replaced field has the type {@link ForkJoinPool} from JDK 25 on. The time limits of {@link
 * CompletableFuture#orTimeout} then run on threads of this pool, in real time.
 */
final class FutureExecutor extends ForkJoinPool {
  private static final String NAME = "future";
  private static final Executor REPLACED = new CompletableFuture<>().defaultExecutor();

  static {
    JdkFields.defaultExecutor(new FutureExecutor());
  }

  private FutureExecutor() {
    super(1);
  }

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
