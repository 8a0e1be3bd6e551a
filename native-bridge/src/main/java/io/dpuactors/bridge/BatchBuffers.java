package io.dpuactors.bridge;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The buffers of a {@link TaskBatch}, one source and one destination for each task: lent all or
 * none, and given back together. Thread: the batch's.
 *
 * @param sources the inputs
 * @param destinations as many, others than the sources
 * @param scopes whose leases they are, as far as they have a holder that may end before
 * @param areLentAlready whether some were lent before, or are twice among them
 */
record BatchBuffers(
    List<Buffer> sources,
    List<Buffer> destinations,
    Set<LeaseScope> scopes,
    boolean areLentAlready) {

  /**
   * Lends them.
   *
   * @throws IllegalArgumentException when they cannot be those of a batch; nothing was lent
   * @throws IllegalStateException when one is not leased; nothing was lent
   */
  static BatchBuffers lend(List<Buffer> sources, List<Buffer> destinations) {
    List<Buffer> from = List.copyOf(sources);
    List<Buffer> to = List.copyOf(destinations);
    check(from, to);
    boolean areLentAlready = lendAll(from, to);
    Set<LeaseScope> scopes = new LinkedHashSet<>();
    addScopes(from, scopes);
    addScopes(to, scopes);
    return new BatchBuffers(from, to, scopes, areLentAlready);
  }

  private static void check(List<Buffer> from, List<Buffer> to) {
    if (from.isEmpty() || from.size() != to.size() || from.size() > TaskBatch.MAX_TASKS) {
      throw new IllegalArgumentException(
          "a batch of %d sources and %d destinations: as many of both, 1 to %d"
              .formatted(from.size(), to.size(), TaskBatch.MAX_TASKS));
    }
    for (int task = 0; task < from.size(); task++) {
      checkAlone(from.get(task), task);
      checkAlone(to.get(task), task);
      if (from.get(task) == to.get(task)) {
        throw new IllegalArgumentException("task " + task + ": source and destination are one");
      }
    }
  }

  private static void checkAlone(Buffer buffer, int task) {
    if (buffer.elements() > 1 || buffer.isBehindAnother()) {
      throw new IllegalArgumentException(
          "task " + task + ": " + buffer + " is in a chain, which goes to the device by itself");
    }
  }

  /** Whether some were lent already. */
  private static boolean lendAll(List<Buffer> from, List<Buffer> to) {
    int size = from.size();
    boolean lentAlready = false;
    for (int i = 0; i < 2 * size; i++) {
      Buffer next = i < size ? from.get(i) : to.get(i - size);
      lentAlready |= next.isLent();
      if (!next.lend()) {
        for (int back = 0; back < i; back++) {
          (back < size ? from.get(back) : to.get(back - size)).comeBack();
        }
        throw new IllegalStateException("task " + i % size + ": " + next + " is not leased");
      }
    }
    return lentAlready;
  }

  private static void addScopes(List<Buffer> buffers, Set<LeaseScope> scopes) {
    for (Buffer buffer : buffers) {
      LeaseScope scope = buffer.state().scope();
      if (scope != null) {
        scopes.add(scope);
      }
    }
  }

  /** How many of each there are. */
  int size() {
    return sources.size();
  }

  /** From now on they know the batch, if it has them for itself, and it ends with their holders. */
  void join(TaskBatch batch) {
    for (int task = 0; task < size() && !areLentAlready; task++) {
      sources.get(task).readBy(batch);
      destinations.get(task).writtenBy(batch, task);
    }
    scopes.forEach(scope -> scope.join(batch));
  }

  /** Their holder has lost them: they go back to their pools by themselves. */
  void abandon() {
    sources.forEach(Lease::abandon);
    destinations.forEach(Lease::abandon);
  }

  /** The batch has let go of them. */
  void comeBack(TaskBatch batch) {
    scopes.forEach(scope -> scope.leave(batch));
    sources.forEach(source -> source.leave(batch));
    destinations.forEach(destination -> destination.leave(batch));
    sources.forEach(Lease::comeBack);
    destinations.forEach(Lease::comeBack);
  }
}
