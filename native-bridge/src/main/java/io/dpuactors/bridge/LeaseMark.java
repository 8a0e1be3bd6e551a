package io.dpuactors.bridge;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The leases of a pool that were in no request and no answer at one moment. An actor that restarts
 * creates a mark, so that it can release exactly the leases from before its restart.
 *
 * <p>Leases and batches that an answer carried count once their holder has accessed them.
 */
public final class LeaseMark {
  private final long[] numbers;
  private final @Nullable Object[] messages;
  private final Map<TaskBatch, @Nullable Object> batches = new HashMap<>();

  private LeaseMark(int size) {
    numbers = new long[size];
    messages = new Object[size];
  }

  /** Marks the leases of these buffers, and the batches of their holders. Any thread. */
  static LeaseMark of(List<Buffer> buffers) {
    LeaseMark mark = new LeaseMark(buffers.size());
    Map<Buffer, Integer> loans = new HashMap<>();
    for (LeaseScope scope : scopes(buffers)) {
      scope.batches().forEach(batch -> mark.add(batch, loans));
    }
    buffers.forEach(buffer -> mark.add(buffer, loans.getOrDefault(buffer, 0)));
    return mark;
  }

  private static Set<LeaseScope> scopes(List<Buffer> buffers) {
    Set<LeaseScope> scopes = new HashSet<>();
    for (Buffer buffer : buffers) {
      LeaseScope scope = buffer.state().scope();
      if (scope != null) {
        scopes.add(scope);
      }
    }
    return scopes;
  }

  /** Marks a batch in hand, and counts its loans. Batches of two scopes come twice. */
  private void add(TaskBatch batch, Map<Buffer, Integer> loans) {
    if (batch.isInHand() && !batches.containsKey(batch)) {
      batches.put(batch, batch.message());
      batch.sources().forEach(source -> loans.merge(source, 1, Integer::sum));
      batch.destinations().forEach(destination -> loans.merge(destination, 1, Integer::sum));
    }
  }

  private void add(Buffer buffer, int loansToBatches) {
    int i = buffer.index();
    numbers[i] = buffer.numberInHand(loansToBatches);
    messages[i] = buffer.lastMessage();
  }

  /** Closes the marked ones of these batches that have not run since. */
  void closeBatches(Set<TaskBatch> ofScope) {
    batches.forEach(
        (batch, message) -> {
          if (ofScope.contains(batch)) {
            batch.closeIfUnsent(message);
          }
        });
  }

  /** Releases a marked lease unless it was lent or carried since. */
  void release(Buffer buffer) {
    int i = buffer.index();
    if (numbers[i] != 0) {
      buffer.releaseIfUnsent(numbers[i], messages[i]);
    }
  }
}
