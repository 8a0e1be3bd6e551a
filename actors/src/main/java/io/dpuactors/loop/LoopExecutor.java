package io.dpuactors.loop;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The executor side of a loop: the queue of its tasks, its wake-ups, and its shutdown. Any thread
 * may call the methods of {@code ExecutorService}; all others belong to the loop's thread.
 */
abstract class LoopExecutor extends AbstractExecutorService {
  private final String name;
  private final TaskQueue queue = new TaskQueue();
  private final AtomicBoolean parked = new AtomicBoolean();
  private final CountDownLatch terminated = new CountDownLatch(1);
  private volatile @Nullable Thread thread;
  private volatile boolean shutdown;

  LoopExecutor(String name) {
    this.name = name;
  }

  /** Sleeps until {@link #unpark}, or until a bound. Loop's thread. */
  abstract void sleep(long nowNs);

  /** Ends the sleep of the loop's thread. Any thread. */
  abstract void unpark(@Nullable Thread owner);

  final @Nullable Thread thread() {
    return thread;
  }

  /** Makes the calling thread the owner of a loop that has none. */
  final void own(String operation) {
    if (thread == null) {
      thread = Thread.currentThread();
    }
    checkThread(operation);
  }

  final void checkThread(String operation) {
    Thread owner = thread;
    if (owner != Thread.currentThread()) {
      throw new IllegalStateException(
          operation
              + " of loop "
              + name
              + " called on thread "
              + Thread.currentThread().getName()
              + "; only thread "
              + (owner == null ? "(none yet)" : owner.getName())
              + " may");
    }
  }

  /** Returns the next task, or null. */
  final @Nullable Runnable poll() {
    return queue.poll();
  }

  /** Returns whether a task waits. */
  final boolean hasQueued() {
    return !queue.isEmpty();
  }

  /** Returns whether the loop must end: it was shut down, and no task waits. */
  final boolean isOver() {
    return shutdown && queue.isEmpty();
  }

  /** Sleeps unless a task waits. A task that arrives during the sleep ends it. */
  final void park(long nowNs) {
    parked.set(true);
    // A thread that enqueues after this line sees the flag and wakes the loop. The loop sees a task
    // that was enqueued before.
    if (queue.isEmpty() && !shutdown) {
      sleep(nowNs);
    }
    parked.set(false);
  }

  private void wake() {
    // Only the first thread of a burst changes the flag and pays for the system call.
    if (parked.get() && parked.compareAndSet(true, false)) {
      unpark(thread);
    }
  }

  /** Returns the tasks that arrived while the loop was ending. Later tasks are refused. */
  final List<Runnable> endQueue() {
    shutdown = true;
    return queue.end();
  }

  final void terminated() {
    terminated.countDown();
  }

  @Override
  public final void execute(Runnable task) {
    if (shutdown) {
      throw refusal();
    }
    if (Thread.currentThread() == thread) {
      queue.add(task);
      return;
    }
    if (!queue.offer(task)) {
      throw refusal();
    }
    wake();
  }

  private RejectedExecutionException refusal() {
    return new RejectedExecutionException("engine loop " + name + " was shut down");
  }

  @Override
  public final void shutdown() {
    shutdown = true;
    wake();
  }

  @Override
  public final List<Runnable> shutdownNow() {
    shutdown();
    // Only the loop's thread may take from the queue. On any other thread, the loop runs the tasks
    // to their end.
    return Thread.currentThread() == thread ? queue.drain() : List.of();
  }

  @Override
  public final boolean isShutdown() {
    return shutdown;
  }

  @Override
  public final boolean isTerminated() {
    return terminated.getCount() == 0;
  }

  @Override
  public final boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return terminated.await(timeout, unit);
  }

  @Override
  public final String toString() {
    return name;
  }
}
