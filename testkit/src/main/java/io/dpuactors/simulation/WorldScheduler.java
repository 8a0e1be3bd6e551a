package io.dpuactors.simulation;

import com.typesafe.config.Config;
import io.dpuactors.loop.SchedulerClock;
import java.util.concurrent.ThreadFactory;
import org.apache.pekko.actor.AbstractScheduler;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.event.LoggingAdapter;
import scala.concurrent.ExecutionContext;
import scala.concurrent.duration.FiniteDuration;

/**
 * Pekko's scheduler on the virtual clock of the current {@link World}. {@code
 * pekko.scheduler.implementation} names this class. World's thread.
 */
// Only engines use the clock: its package is exported to this module alone.
@SuppressWarnings("exports")
public final class WorldScheduler extends AbstractScheduler implements SchedulerClock {
  private final World world = World.current();

  /** Creates the scheduler. Pekko calls this constructor by reflection. */
  public WorldScheduler(Config config, LoggingAdapter log, ThreadFactory threads) {}

  @Override
  public Cancellable scheduleOnce(FiniteDuration delay, Runnable task, ExecutionContext executor) {
    world.checkThread("a timer");
    return new Once(world.time().after(delay.toNanos(), () -> executor.execute(task)));
  }

  @Override
  @SuppressWarnings("deprecation") // the base class calls it
  public Cancellable schedule(
      FiniteDuration delay, FiniteDuration interval, Runnable task, ExecutionContext executor) {
    world.checkThread("a timer");
    checkInterval(interval);
    return new Repeated(delay.toNanos(), interval.toNanos(), () -> executor.execute(task));
  }

  @Override
  public Cancellable scheduleWithFixedDelay(
      FiniteDuration first, FiniteDuration delay, Runnable task, ExecutionContext executor) {
    checkInterval(delay);
    return super.scheduleWithFixedDelay(first, delay, task, executor);
  }

  /** Refuses what Pekko's default scheduler refuses. */
  private static void checkInterval(FiniteDuration interval) {
    if (interval.toNanos() <= 0) {
      throw new IllegalArgumentException(
          "an interval of %s is an endless loop (use a longer one)".formatted(interval));
    }
  }

  @Override
  public long nowNs() {
    return world.clocks().nowNs();
  }

  /** The scheduler has no ticks. */
  @Override
  public double maxFrequency() {
    return 1e9;
  }

  private record Once(VirtualTime.Timer timer) implements Cancellable {
    @Override
    public boolean cancel() {
      return timer.cancel();
    }

    @Override
    public boolean isCancelled() {
      return timer.isOver();
    }
  }

  /**
   * A schedule at a fixed rate. As with Pekko's default scheduler, a late task runs again at once
   * until it has run as often as if it had never been late. The time of a dead host stands still,
   * and does not make its tasks late.
   */
  private final class Repeated implements Cancellable {
    private final long intervalNs;
    private final Runnable fire;
    private VirtualTime.Timer next;
    private long dueNs;
    private boolean isCancelled;

    Repeated(long delayNs, long intervalNs, Runnable fire) {
      this.intervalNs = intervalNs;
      this.fire = fire;
      this.dueNs = nowNs() + delayNs;
      this.next = world.time().after(delayNs, this::fire);
    }

    private void fire() {
      dueNs += intervalNs + next.heldNs();
      next = world.time().after(Math.max(1, dueNs - nowNs()), this::fire);
      fire.run();
    }

    @Override
    public boolean cancel() {
      boolean was = isCancelled;
      isCancelled = true;
      next.cancel();
      return !was;
    }

    @Override
    public boolean isCancelled() {
      return isCancelled;
    }
  }
}
