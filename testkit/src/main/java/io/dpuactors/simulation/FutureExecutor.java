package io.dpuactors.simulation;

import io.dpuactors.bridge.PoolMemory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The executor of {@link CompletableFuture}'s methods without one: the world that the calling
 * thread runs. Without a world, and between two runs, stages use the executor that this one
 * replaced. Waits for leases take their time limits from this executor, too.
 *
 * <p>The replaced field has the type {@link ForkJoinPool} from JDK 25 on. The time limits of {@link
 * CompletableFuture#orTimeout} then run on threads of this pool, in real time: the pool's method
 * that schedules them is not accessible.
 */
final class FutureExecutor extends ForkJoinPool implements PoolMemory.WaitLimits {
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

  /** The time-out is a step of the world, which may come after a release of the same time. */
  @Override
  public void limit(CompletableFuture<?> lease, long limitNs) {
    World world = World.running();
    if (world == null) {
      lease.orTimeout(limitNs, TimeUnit.NANOSECONDS);
      return;
    }
    Runnable timeOut = () -> lease.completeExceptionally(new TimeoutException());
    VirtualTime.Timer timer = world.time().after(limitNs, () -> world.enqueue(NAME, timeOut));
    lease.minimalCompletionStage().whenComplete((result, failure) -> timer.cancel());
  }
}
