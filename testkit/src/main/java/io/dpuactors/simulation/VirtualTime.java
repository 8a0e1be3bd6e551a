package io.dpuactors.simulation;

import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** A virtual clock and its timers. World's thread. */
final class VirtualTime {
  /** A task that becomes due. Not yet due timers of the same time fire in the order of creation. */
  static final class Timer implements Comparable<Timer> {
    private final long dueNs;
    private final long number;
    private final Runnable fire;
    private boolean isOver;

    private Timer(long dueNs, long number, Runnable fire) {
      this.dueNs = dueNs;
      this.number = number;
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

    @Override
    public int compareTo(Timer other) {
      int byTime = Long.compare(dueNs, other.dueNs);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  private final PriorityQueue<Timer> timers = new PriorityQueue<>();
  private long nowNs;
  private long created;

  long nowNs() {
    return nowNs;
  }

  /** Runs a task after a delay, at the earliest in the next {@link #advanceTo}. */
  Timer after(long delayNs, Runnable fire) {
    long dueNs = nowNs + Math.min(Math.max(0, delayNs), Long.MAX_VALUE / 2 - nowNs);
    Timer timer = new Timer(dueNs, created++, fire);
    timers.add(timer);
    return timer;
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
      timer.fire.run();
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
