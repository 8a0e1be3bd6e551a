package io.dpuactors.simulation;

import io.dpuactors.loop.ManualLoop;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** The executor of a dispatcher in a {@link World}. Refuses tasks of other threads. */
final class WorldExecutor extends AbstractExecutorService {
  private final World world;
  private final String name;
  private final Executor target;
  private final Runnable end;
  private boolean isShutdown;

  private WorldExecutor(World world, String name, Executor target, Runnable end) {
    this.world = world;
    this.name = name;
    this.target = target;
    this.end = end;
  }

  /** Returns an executor whose tasks the world runs in any order. */
  static WorldExecutor create(World world, String name) {
    return new WorldExecutor(world, name, task -> world.enqueue(name, task), () -> {});
  }

  /** Returns an executor whose tasks an engine's loop runs in the order of their arrival. */
  static WorldExecutor ofLoop(World world, String name, ManualLoop loop) {
    return new WorldExecutor(
        world, name, task -> loop.execute(() -> world.runInLoop(name, task)), loop::shutdown);
  }

  @Override
  public void execute(Runnable task) {
    world.checkThread("a task for dispatcher " + name);
    if (isShutdown) {
      throw new RejectedExecutionException("dispatcher " + name + " was shut down");
    }
    target.execute(task);
  }

  @Override
  public void shutdown() {
    isShutdown = true;
    end.run();
  }

  @Override
  public List<Runnable> shutdownNow() {
    shutdown();
    return List.of();
  }

  @Override
  public boolean isShutdown() {
    return isShutdown;
  }

  /** The world runs the remaining tasks; nothing waits for them. */
  @Override
  public boolean isTerminated() {
    return isShutdown;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return isShutdown;
  }
}
