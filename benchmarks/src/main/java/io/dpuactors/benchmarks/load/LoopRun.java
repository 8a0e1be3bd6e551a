package io.dpuactors.benchmarks.load;

import java.util.function.LongConsumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/** A closed loop that can be run again and again, by one thread that is no engine's. */
public final class LoopRun {
  private final LoadSystem system;
  private final ActorRef<Object> loop;

  LoopRun(LoadSystem system, ActorRef<Object> loop) {
    this.system = system;
    this.loop = loop;
  }

  /** Does so many tasks. */
  public Outcome run(long count) {
    return run(count, null);
  }

  /**
   * Does so many tasks.
   *
   * @param latencyNs gets the latency of each, on the engine's thread
   */
  public Outcome run(long count, @Nullable LongConsumer latencyNs) {
    return system.ask(loop, me -> new ClosedLoop.Run(count, latencyNs, me));
  }

  /**
   * Does so many tasks.
   *
   * @throws IllegalStateException when one of them failed
   */
  public Outcome.Done runOrThrow(long count) {
    Outcome outcome = run(count);
    if (outcome instanceof Outcome.Broken broken) {
      throw new IllegalStateException(broken.why());
    }
    return (Outcome.Done) outcome;
  }
}
