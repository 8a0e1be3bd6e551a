package io.dpuactors.benchmarks.load;

import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.apache.pekko.actor.typed.ActorRef;

/** An open loop for repeated runs; the calling thread is the clock. */
public final class PacedRun {
  private final LoadSystem system;
  private final ActorRef<Object> loop;

  PacedRun(LoadSystem system, ActorRef<Object> loop) {
    this.system = system;
    this.loop = loop;
  }

  /**
   * Makes tasks due at equal distances. The calling thread spins.
   *
   * @param perSecond rate of tasks
   * @param latencyNs receives the time from due to done of each task, on the engine's thread
   */
  public Outcome run(long count, double perSecond, LongConsumer latencyNs) {
    CompletableFuture<Outcome> outcome =
        CompletableFuture.supplyAsync(
            () -> system.ask(loop, me -> new OpenLoop.Run(count, latencyNs, me)));
    double intervalNs = 1e9 / perSecond;
    long beginNs = System.nanoTime() + 1_000_000;
    for (long i = 0; i < count; i++) {
      long dueNs = beginNs + (long) (i * intervalNs);
      while (System.nanoTime() - dueNs < 0) {
        Thread.onSpinWait();
      }
      loop.tell(new OpenLoop.Due(dueNs));
    }
    return outcome.join();
  }
}
