package io.dpuactors.file;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/**
 * Registered memory of a batch. The batch keeps it from file to file while it is large enough.
 * Thread: the batch's.
 */
final class BatchMemory {
  private final FileEngines engines;
  private final List<ActorRef<?>> contexts;
  private final String device;
  private List<BlockWorker> workers = List.of();
  private @Nullable PoolShape shape;

  /**
   * Creates an object without memory.
   *
   * @param contexts one of each engine, in the engines' order
   * @param device PCI address of the contexts' device
   */
  BatchMemory(FileEngines engines, List<ActorRef<?>> contexts, String device) {
    this.engines = engines;
    this.contexts = List.copyOf(contexts);
    this.device = device;
  }

  /** Returns the contexts with their memory; empty without memory. */
  List<BlockWorker> workers() {
    return workers;
  }

  /** Returns whether the memory is large enough for a file. */
  boolean covers(PoolShape wanted) {
    return shape != null && shape.covers(wanted);
  }

  /**
   * Closes the present memory, all of whose buffers are in their pools, and opens the wanted one.
   *
   * @return the argument for {@link #opened}; fails with {@link FileException}
   */
  CompletionStage<List<BlockWorker>> replace(PoolShape wanted) {
    CompletionStage<Void> closed =
        workers.isEmpty() ? CompletableFuture.completedFuture(null) : engines.closePools(workers);
    workers = List.of();
    shape = null;
    return closed.thenCompose(done -> engines.openPools(contexts, device, wanted));
  }

  /** Returns the shape that the memory needs for a member of a stream. Requires open memory. */
  PoolShape grown(PoolShape wanted, BatchSettings settings) {
    return Objects.requireNonNull(shape, "there is memory").grown(wanted, settings);
  }

  /** Takes the opened memory. */
  void opened(List<BlockWorker> fresh, PoolShape wanted) {
    workers = fresh;
    shape = wanted;
  }
}
