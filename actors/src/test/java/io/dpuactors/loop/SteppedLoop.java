package io.dpuactors.loop;

import java.util.function.LongSupplier;

/** A loop without a thread: the test steps it and sets the clock. */
public final class SteppedLoop {
  private final EngineLoop loop;

  /** Creates a loop with an attached device; the loop belongs to the calling thread. */
  public SteppedLoop(EngineSettings settings, LongSupplier clock, LoopDevice device) {
    loop = new EngineLoop("stepped", settings, clock);
    loop.execute(() -> loop.attach(device, SteppedLoop::fail));
    loop.step();
  }

  private static void fail(Throwable cause) {
    throw new AssertionError("the device has failed", cause);
  }

  /** Enqueues a task for the next step, as an actor's mailbox does. */
  public void execute(Runnable task) {
    loop.execute(task);
  }

  /** Runs one iteration, with the sleep at its end if there is one. */
  public void step() {
    loop.step();
  }
}
