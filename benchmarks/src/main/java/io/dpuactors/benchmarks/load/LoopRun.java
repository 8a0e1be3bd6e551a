package io.dpuactors.benchmarks.load;

import java.util.function.LongConsumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/** A closed loop for repeated runs by one thread other than the engine's. */
public final class LoopRun {
  private final LoadSystem system;
  private final ActorRef<Object> loop;

  LoopRun(LoadSystem system, ActorRef<Object> loop) {
    this.system = system;
    this.loop = loop;
  }

  /** Runs a number of tasks. */
  public Outcome run(long count) {
    return run(count, null);
  }

  /**
   * Runs a number of tasks.
   *
   * @param latencyNs receives the latency of each task, on the engine's thread
   */
  public Outcome run(long count, @Nullable LongConsumer latencyNs) {
    return system.ask(loop, me -> new ClosedLoop.Run(count, latencyNs, me));
  }

  /**
   * Runs a number of tasks.
   *
   * @throws IllegalStateException if a task failed
   */
  public Outcome.Done runOrThrow(long count) {
    Outcome outcome = run(count);
    if (outcome instanceof Outcome.Broken broken) {
      throw new IllegalStateException(broken.why());
    }
    return (Outcome.Done) outcome;
  }
}
