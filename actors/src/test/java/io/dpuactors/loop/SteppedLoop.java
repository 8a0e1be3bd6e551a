package io.dpuactors.loop;

import java.util.function.LongSupplier;

/** A loop without a thread: the test steps it, and owns the clock. */
public final class SteppedLoop {
  private final EngineLoop loop;

  /** A loop that drives a device already; it belongs to the calling thread. */
  public SteppedLoop(EngineSettings settings, LongSupplier clock, LoopDevice device) {
    loop = new EngineLoop("stepped", settings, clock);
    loop.execute(() -> loop.attach(device, SteppedLoop::fail));
    loop.step();
  }

  private static void fail(Throwable cause) {
    throw new AssertionError("the device was given up", cause);
  }

  /** As an actor's mailbox would, in the next step. */
  public void execute(Runnable task) {
    loop.execute(task);
  }

  /** One iteration, with the sleep at its end if there is one. */
  public void step() {
    loop.step();
  }
}
