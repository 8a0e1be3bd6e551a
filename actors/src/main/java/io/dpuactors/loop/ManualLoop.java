package io.dpuactors.loop;

import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A loop without a thread, for simulations. The owner of the loop steps it and moves the clock. The
 * loop never sleeps: an idle iteration returns to the owner, which runs other work.
 *
 * <p>The thread that creates the loop owns it. One thread may own several loops; each is {@link
 * EngineLoop#current} during its own step.
 */
public final class ManualLoop extends EngineLoop {
  /** Runs other work while a step of a loop waits. */
  public interface Owner {
    /**
     * Lets time pass until other work has run, at most for {@code timeoutNs}. The step of the loop
     * continues afterwards.
     */
    void await(ManualLoop loop, long timeoutNs);

    /** Called before each turn of the loop's device. An exception fails the turn. */
    default void beforeTurn(ManualLoop loop) {}

    /**
     * Called for each wait of the loop's device. An exception fails the wait. Otherwise the wait of
     * an idle iteration ends at once, and that of {@link EngineLoop#await} lets time pass.
     */
    default void beforeWait(ManualLoop loop) {}

    /** Called at a moment in the life of an actor. An exception fails the actor. */
    default void at(ManualLoop loop, ActorMoment moment) {}
  }

  private final LongSupplier clock;
  private final Owner owner;
  private boolean isStepping;

  /**
   * Creates a loop of the calling thread.
   *
   * @param name in log lines
   * @param clock nanoseconds
   */
  public ManualLoop(String name, EngineSettings settings, LongSupplier clock, Owner owner) {
    super(name, settings, clock);
    this.clock = clock;
    this.owner = owner;
    own("create");
  }

  /**
   * Runs one iteration: queued tasks, and one turn of the device. Ends the loop after a shutdown.
   *
   * @return whether the iteration did any work
   */
  public boolean runOnce() {
    checkThread("runOnce");
    isStepping = true;
    enter();
    try {
      boolean worked = step();
      if (isOver()) {
        end();
      }
      return worked;
    } finally {
      leave();
      isStepping = false;
    }
  }

  /** Returns whether a step runs, which may be waiting. */
  public boolean isStepping() {
    return isStepping;
  }

  /** Returns whether a task waits. */
  public boolean hasTask() {
    return hasQueued();
  }

  /**
   * Returns the longest time that may pass before the next step, nanoseconds; {@code
   * Long.MAX_VALUE} if only a task or an event of the device requires one.
   */
  public long untilDueNs() {
    return untilDueNs(clock.getAsLong());
  }

  @Override
  public void attach(LoopDevice newDevice, Consumer<Throwable> onFailure) {
    super.attach(
        new FallibleDevice(
            newDevice, () -> owner.beforeTurn(this), timeoutNs -> owner.beforeWait(this)),
        onFailure);
  }

  @Override
  public void pass(ActorMoment moment) {
    owner.at(this, moment);
  }

  @Override
  void watch(long stallNs) {
    // Another thread would watch the loop by real time.
  }

  @Override
  public void schedule(ThreadSettings ofThread) {
    checkThread("schedule"); // the thread belongs to the owner
  }

  @Override
  public void await(LoopDevice waited, long timeoutNs) {
    checkThread("await");
    owner.beforeWait(this);
    pause(waited.untilDueNs(timeoutNs));
  }

  @Override
  public void pause(long ns) {
    checkThread("pause");
    leave();
    try {
      owner.await(this, ns);
    } finally {
      enter();
    }
  }

  @Override
  void parkThread(long ns) {
    // The owner lets time pass between two steps.
  }
}
