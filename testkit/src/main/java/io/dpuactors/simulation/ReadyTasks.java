package io.dpuactors.simulation;

import java.util.ArrayList;
import java.util.List;

/** The tasks of dispatchers that may run, in no order. World's thread. */
final class ReadyTasks {
  /** A task of a dispatcher that is not an engine's. */
  record Task(String dispatcher, Runnable runnable) {}

  private final List<Task> tasks = new ArrayList<>();

  void add(Task task) {
    tasks.add(task);
  }

  int size() {
    return tasks.size();
  }

  /** Removes and returns a task. The last one takes its place. */
  Task take(int index) {
    Task last = tasks.remove(tasks.size() - 1);
    return index == tasks.size() ? last : tasks.set(index, last);
  }
}
