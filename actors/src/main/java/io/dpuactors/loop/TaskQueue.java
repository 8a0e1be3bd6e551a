package io.dpuactors.loop;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jctools.queues.MpscUnboundedArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Tasks from any thread to a loop. Any thread may {@link #offer}; all other methods belong to the
 * loop's thread. Even while the loop ends, each task is either taken by the loop or refused to its
 * sender.
 */
final class TaskQueue {
  private static final int CHUNK = 1024;

  private final MpscUnboundedArrayQueue<Runnable> tasks = new MpscUnboundedArrayQueue<>(CHUNK);

  /**
   * Tasks that arrived after {@link #end} and are not refused yet. The lock of this queue guards
   * the queue after {@link #end}.
   */
  private final List<Runnable> late = new ArrayList<>();

  private volatile boolean hasEnded;

  /** Adds a task from the loop's thread. Must not be called after {@link #end}. */
  void add(Runnable task) {
    tasks.offer(task);
  }

  /** Adds a task. Returns false if the loop has ended and will not take the task. Any thread. */
  boolean offer(Runnable task) {
    tasks.offer(task);
    // Either end() finds the task, or this thread sees that the loop has ended.
    VarHandle.fullFence();
    return !hasEnded || !withdraw(task);
  }

  private boolean withdraw(Runnable task) {
    synchronized (late) {
      moveTo(late);
      return late.remove(task);
    }
  }

  @Nullable Runnable poll() {
    return tasks.poll();
  }

  boolean isEmpty() {
    return tasks.isEmpty();
  }

  /** Removes and returns all tasks. */
  List<Runnable> drain() {
    List<Runnable> taken = new ArrayList<>();
    moveTo(taken);
    return taken;
  }

  /** Removes and returns all tasks for the last time. {@link #offer} refuses later tasks. */
  List<Runnable> end() {
    synchronized (late) {
      hasEnded = true;
      return drain();
    }
  }

  private void moveTo(List<Runnable> taken) {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      taken.add(task);
    }
  }
}
