package io.dpuactors.file;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/**
 * The registered memory of a batch, which is kept from file to file while it is large enough.
 * Thread: the batch's.
 */
final class BatchMemory {
  private final FileEngines engines;
  private final List<ActorRef<?>> contexts;
  private final String device;
  private List<Station> stations = List.of();
  private @Nullable PoolShape shape;

  /**
   * None yet.
   *
   * @param contexts one of each engine, in the engines' order
   * @param device PCI address of the contexts' device
   */
  BatchMemory(FileEngines engines, List<ActorRef<?>> contexts, String device) {
    this.engines = engines;
    this.contexts = List.copyOf(contexts);
    this.device = device;
  }

  /** The contexts with their memory; empty while there is none. */
  List<Station> stations() {
    return stations;
  }

  /** Whether a file that needs this can be worked on without more memory. */
  boolean covers(PoolShape wanted) {
    return shape != null && shape.covers(wanted);
  }

  /**
   * Gives back what is there, all of whose buffers are in their pools, and opens what is wanted.
   *
   * @return is to be passed to {@link #opened}; fails with {@link FileException}
   */
  CompletionStage<List<Station>> replace(PoolShape wanted) {
    CompletionStage<Void> closed =
        stations.isEmpty() ? CompletableFuture.completedFuture(null) : engines.closePools(stations);
    stations = List.of();
    shape = null;
    return closed.thenCompose(done -> engines.openPools(contexts, device, wanted));
  }

  /** What the memory must become for a member of a stream. Only while there is memory. */
  PoolShape grown(PoolShape wanted, BatchSettings settings) {
    return Objects.requireNonNull(shape, "there is memory").grown(wanted, settings);
  }

  /** The memory is there. */
  void opened(List<Station> fresh, PoolShape wanted) {
    stations = fresh;
    shape = wanted;
  }
}
