package io.dpuactors.simulation;

import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** A virtual clock and its timers. World's thread. */
final class VirtualTime {
  /** A task that becomes due. Not yet due timers of the same time fire in the order of creation. */
  static final class Timer implements Comparable<Timer> {
    private final long number;
    private final String owner;
    private final Runnable fire;
    private long dueNs;
    private long heldNs;
    private boolean isOver;

    private Timer(long dueNs, long number, String owner, Runnable fire) {
      this.dueNs = dueNs;
      this.number = number;
      this.owner = owner;
      this.fire = fire;
    }

    /** Withdraws the timer. Returns false if it has fired or was withdrawn before. */
    boolean cancel() {
      boolean was = isOver;
      isOver = true;
      return !was;
    }

    boolean isOver() {
      return isOver;
    }

    /** Returns the time by which {@link VirtualTime#hold} has delayed the timer. */
    long heldNs() {
      return heldNs;
    }

    @Override
    public int compareTo(Timer other) {
      int byTime = Long.compare(dueNs, other.dueNs);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  private final PriorityQueue<Timer> timers = new PriorityQueue<>();
  private String owner = "";
  private long nowNs;
  private long created;

  long nowNs() {
    return nowNs;
  }

  /** Runs a task whose timers belong to an owner; empty: to none. */
  void run(String newOwner, Runnable task) {
    String before = owner;
    owner = newOwner;
    try {
      task.run();
    } finally {
      owner = before;
    }
  }

  /** Runs a task after a delay, at the earliest in the next {@link #advanceTo}. */
  Timer after(long delayNs, Runnable fire) {
    Timer timer = new Timer(later(nowNs, Math.max(0, delayNs)), created++, owner, fire);
    timers.add(timer);
    return timer;
  }

  private static long later(long thenNs, long delayNs) {
    return thenNs + Math.min(delayNs, Long.MAX_VALUE / 2 - thenNs);
  }

  /** Delays the timers of an owner, as if no time passed for it. */
  void hold(String owner, long ns) {
    List<Timer> held = timers.stream().filter(timer -> timer.owner.equals(owner)).toList();
    timers.removeAll(held);
    for (Timer timer : held) {
      timer.dueNs = later(timer.dueNs, ns);
      timer.heldNs += ns;
    }
    timers.addAll(held);
  }

  /** Returns the time of the next timer; {@code Long.MAX_VALUE} if there is none. */
  long nextNs() {
    Timer first = first();
    return first == null ? Long.MAX_VALUE : Math.max(nowNs, first.dueNs);
  }

  /** Moves the clock forward and fires the timers that are due. */
  void advanceTo(long thenNs) {
    nowNs = Math.max(nowNs, thenNs);
    for (Timer timer = first(); timer != null && timer.dueNs <= nowNs; timer = first()) {
      timers.poll();
      timer.isOver = true;
      run(timer.owner, timer.fire);
    }
  }

  /** Drops all timers. The time is 0 again. */
  void reset() {
    timers.clear();
    nowNs = 0;
    created = 0;
  }

  /** Returns the number of timers that have not fired. */
  int pending() {
    timers.removeIf(Timer::isOver);
    return timers.size();
  }

  private @Nullable Timer first() {
    while (!timers.isEmpty() && timers.peek().isOver) {
      timers.poll();
    }
    return timers.peek();
  }
}
