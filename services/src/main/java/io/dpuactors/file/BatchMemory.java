package io.dpuactors.file;

import io.dpuactors.bridge.TaskBuffers;
import io.dpuactors.bridge.TaskBuffers.Part;
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
  private @Nullable TaskBuffers buffers;
  private @Nullable PoolShape shape;

  /**
   * Creates an object without memory.
   *
   * @param contexts run on the engines; if there are two, the second encrypts or decrypts
   */
  BatchMemory(FileEngines engines, List<ActorRef<?>> contexts) {
    this.engines = engines;
    this.contexts = contexts;
  }

  /** Returns one worker per running engine; none without memory. */
  List<BlockWorker> workers() {
    return buffers == null
        ? List.of()
        : buffers.parts().stream().filter(Part::lends).map(this::worker).toList();
  }

  private BlockWorker worker(Part part) {
    ActorRef<?> cipher = contexts.get(contexts.size() - 1);
    return BlockWorker.of(contexts.get(0), cipher, part.sources(), part.destinations());
  }

  /** Returns whether the memory of an engine is large enough for a file. */
  boolean covers(PoolShape wanted) {
    return shape != null && shape.covers(wanted) && !workers().isEmpty();
  }

  /**
   * Closes the present memory, all of whose buffers are in their pools, and opens the required one.
   *
   * @return the argument for {@link #opened}; fails with {@link FileException}
   */
  CompletionStage<TaskBuffers> replace(PoolShape wanted) {
    CompletionStage<Void> closed =
        buffers == null ? CompletableFuture.completedFuture(null) : engines.closeBuffers(buffers);
    buffers = null;
    shape = null;
    return closed.thenCompose(done -> engines.openBuffers(contexts.get(0), wanted));
  }

  /** Returns the shape that the memory needs for a member of a stream. Requires open memory. */
  PoolShape grown(PoolShape wanted, BatchSettings settings) {
    return Objects.requireNonNull(shape, "there is memory").grown(wanted, settings);
  }

  /** Takes the opened memory. */
  void opened(TaskBuffers fresh, PoolShape wanted) {
    buffers = fresh;
    shape = wanted;
  }
}
