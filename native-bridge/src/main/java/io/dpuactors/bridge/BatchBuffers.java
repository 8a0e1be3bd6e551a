package io.dpuactors.bridge;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The buffers of a {@link TaskBatch}: a source, a destination or both for each task. All are lent
 * or none; they are returned together. Thread: the batch's.
 *
 * @param sources the inputs, or none
 * @param destinations the outputs, one per source and different from all sources, or none
 * @param scopes scopes that hold leases of these buffers
 * @param areLentAlready whether some were lent before, or appear twice
 */
record BatchBuffers(
    List<Buffer> sources,
    List<Buffer> destinations,
    Set<LeaseScope> scopes,
    boolean areLentAlready) {

  /**
   * Lends the sources and destinations of tasks.
   *
   * @throws IllegalArgumentException when the buffers cannot form a batch; nothing was lent
   * @throws IllegalStateException when one is not leased; nothing was lent
   */
  static BatchBuffers lendPairs(List<Buffer> sources, List<Buffer> destinations) {
    List<Buffer> from = List.copyOf(sources);
    List<Buffer> to = List.copyOf(destinations);
    checkSize(from);
    if (from.size() != to.size()) {
      throw new IllegalArgumentException(
          "a batch of %d sources and %d destinations: as many of both"
              .formatted(from.size(), to.size()));
    }
    for (int task = 0; task < from.size(); task++) {
      checkAlone(from.get(task), task);
      checkAlone(to.get(task), task);
      if (from.get(task) == to.get(task)) {
        throw new IllegalArgumentException("task " + task + ": source and destination are one");
      }
    }
    return lend(from, to);
  }

  /** Works as {@link #lendPairs}, with sources only, each once. */
  static BatchBuffers lendSources(List<Buffer> sources) {
    List<Buffer> from = List.copyOf(sources);
    checkEach(from);
    return lend(from, List.of());
  }

  /** Works as {@link #lendPairs}, with destinations only, each once, of one pool. */
  static BatchBuffers lendDestinations(List<Buffer> destinations) {
    List<Buffer> to = List.copyOf(destinations);
    checkEach(to);
    for (int task = 1; task < to.size(); task++) {
      if (to.get(task).pool() != to.get(0).pool()) {
        throw new IllegalArgumentException(
            "task " + task + ": " + to.get(task) + " is of another pool than that of task 0");
      }
    }
    return lend(List.of(), to);
  }

  private static void checkEach(List<Buffer> buffers) {
    checkSize(buffers);
    Set<Buffer> seen = new HashSet<>();
    for (int task = 0; task < buffers.size(); task++) {
      checkAlone(buffers.get(task), task);
      if (!seen.add(buffers.get(task))) {
        throw new IllegalArgumentException(
            "task " + task + ": " + buffers.get(task) + " is there already");
      }
    }
  }

  private static void checkSize(List<Buffer> buffers) {
    if (buffers.isEmpty() || buffers.size() > TaskBatch.MAX_TASKS) {
      throw new IllegalArgumentException(
          "a batch of %d tasks: 1 to %d".formatted(buffers.size(), TaskBatch.MAX_TASKS));
    }
  }

  private static void checkAlone(Buffer buffer, int task) {
    if (buffer.elements() > 1 || buffer.isBehindAnother()) {
      throw new IllegalArgumentException(
          "task " + task + ": " + buffer + " is in a chain, which goes to the device by itself");
    }
  }

  private static BatchBuffers lend(List<Buffer> from, List<Buffer> to) {
    List<Buffer> all = Stream.concat(from.stream(), to.stream()).toList();
    boolean areLentAlready = lendAll(all);
    Set<LeaseScope> scopes = new LinkedHashSet<>();
    for (Buffer buffer : all) {
      LeaseScope scope = buffer.state().scope();
      if (scope != null) {
        scopes.add(scope);
      }
    }
    return new BatchBuffers(from, to, scopes, areLentAlready);
  }

  /** Lends all and returns whether some were lent already. */
  private static boolean lendAll(List<Buffer> all) {
    boolean lentAlready = false;
    int lent = 0;
    try {
      for (Buffer next : all) {
        lentAlready |= next.isLent();
        if (!next.lend()) {
          throw new IllegalStateException("a batch with " + next + ", which is not leased");
        }
        lent++;
      }
    } finally {
      if (lent < all.size()) {
        all.subList(0, lent).forEach(Lease::returnLoan);
      }
    }
    return lentAlready;
  }

  /** Returns the number of tasks. */
  int size() {
    return Math.max(sources.size(), destinations.size());
  }

  /** Returns a buffer that contexts of the device of this memory cannot use, or null. */
  @Nullable Buffer foreign(PoolMemory ofContext) {
    Buffer source = foreign(sources, ofContext);
    return source == null ? foreign(destinations, ofContext) : source;
  }

  private static @Nullable Buffer foreign(List<Buffer> buffers, PoolMemory ofContext) {
    BufferPool usable = null;
    for (Buffer each : buffers) {
      if (each.pool() != usable && !each.pool().memory().isOnDeviceOf(ofContext)) {
        return each;
      }
      usable = each.pool();
    }
    return null;
  }

  /**
   * Describes the tasks of the buffers in memory for the bridge.
   *
   * @throws OutOfMemoryError at the JVM's limit of direct memory; the loan has ended
   */
  BatchMemory describe() {
    try {
      return new BatchMemory(this);
    } catch (OutOfMemoryError e) {
      returnEach();
      throw e;
    }
  }

  /** Registers the batch with the buffers, if only this batch uses them, and with their scopes. */
  void join(TaskBatch batch) {
    if (!areLentAlready) {
      sources.forEach(source -> source.readBy(batch));
      for (int task = 0; task < destinations.size(); task++) {
        destinations.get(task).writtenBy(batch, task);
      }
    }
    scopes.forEach(scope -> scope.join(batch));
  }

  /** Sets the length of each destination to what its task has written. */
  void written(BatchResults results) {
    for (int task = 0; task < destinations.size(); task++) {
      destinations.get(task).setWritten(results.produced(task));
    }
  }

  /** Releases the leases when no task has them any more. */
  void releaseAfterTasks() {
    sources.forEach(Lease::releaseAfterTasks);
    destinations.forEach(Lease::releaseAfterTasks);
  }

  /** Ends the loan of the buffers to the batch. */
  void returnLoan(TaskBatch batch) {
    scopes.forEach(scope -> scope.leave(batch));
    sources.forEach(source -> source.leave(batch));
    destinations.forEach(destination -> destination.leave(batch));
    returnEach();
  }

  private void returnEach() {
    sources.forEach(Lease::returnLoan);
    destinations.forEach(Lease::returnLoan);
  }
}
