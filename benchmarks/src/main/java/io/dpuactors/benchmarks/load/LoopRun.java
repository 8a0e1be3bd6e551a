package io.dpuactors.benchmarks.load;

import io.dpuactors.benchmarks.load.LoadLoop.Due;
import io.dpuactors.benchmarks.load.LoadLoop.Run;
import io.dpuactors.bridge.TaskBatch;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.apache.pekko.actor.typed.ActorRef;

/** A load for repeated runs by one thread other than the engine's. */
public final class LoopRun {
  private final LoadSystem system;
  private final ActorRef<Object> loop;
  private final BufferPairs pairs;

  LoopRun(LoadSystem system, ActorRef<Object> loop, BufferPairs pairs) {
    this.system = system;
    this.loop = loop;
    this.pairs = pairs;
  }

  /** Returns the batches of the load, with the results of the last run. */
  public List<TaskBatch> batches() {
    return pairs.batches();
  }

  /** Runs a number of tasks. */
  public Outcome run(long count) {
    return system.ask(loop, me -> new Run(count, null, me));
  }

  /**
   * Makes tasks due at equal distances. The calling thread spins.
   *
   * @param perSecond rate of tasks
   * @param latencyNs receives the time from due to done of each task, on the engine's thread
   */
  public Outcome runPaced(long count, double perSecond, LongConsumer latencyNs) {
    CompletableFuture<Outcome> outcome =
        CompletableFuture.supplyAsync(() -> system.ask(loop, me -> new Run(count, latencyNs, me)));
    double intervalNs = 1e9 / perSecond;
    long beginNs = System.nanoTime() + 1_000_000;
    for (long i = 0; i < count && !outcome.isDone(); i++) {
      long dueNs = beginNs + (long) (i * intervalNs);
      while (System.nanoTime() - dueNs < 0) {
        Thread.onSpinWait();
      }
      loop.tell(new Due(dueNs));
    }
    return outcome.join();
  }
}
