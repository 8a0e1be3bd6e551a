package io.dpuactors.loop;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jctools.queues.MpscUnboundedArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Tasks on their way to a loop. Any thread may {@link #offer}; the loop's thread does the rest. A
 * task is either taken by the loop or refused to the thread that offers it, also while the loop
 * ends.
 */
final class TaskQueue {
  private static final int CHUNK = 1024;

  private final MpscUnboundedArrayQueue<Runnable> tasks = new MpscUnboundedArrayQueue<>(CHUNK);

  /** Tasks that came after {@link #end} and are not refused yet. Guards the queue from then on. */
  private final List<Runnable> late = new ArrayList<>();

  private volatile boolean hasEnded;

  /** Takes a task of the loop's thread, which calls this before {@link #end} only. */
  void add(Runnable task) {
    tasks.offer(task);
  }

  /** Returns false if the loop has ended: it will not take the task. Any thread. */
  boolean offer(Runnable task) {
    tasks.offer(task);
    // Either end() finds the task, or this thread sees that the loop has ended.
    VarHandle.fullFence();
    return !hasEnded || !takeBack(task);
  }

  private boolean takeBack(Runnable task) {
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

  /** Takes all tasks. */
  List<Runnable> drain() {
    List<Runnable> taken = new ArrayList<>();
    moveTo(taken);
    return taken;
  }

  /** Takes all tasks for the last time; {@link #offer} refuses what comes later. */
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
