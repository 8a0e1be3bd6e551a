package io.dpuactors.bridge;

import java.util.HashMap;
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

  /** Marks the leases of these buffers. Any thread. */
  static LeaseMark of(List<Buffer> buffers) {
    LeaseMark mark = new LeaseMark(buffers.size());
    buffers.forEach(mark::add);
    return mark;
  }

  private void add(Buffer buffer) {
    TaskBatch batch = buffer.batch();
    if (batch != null && batch.isInHand()) {
      batches.put(batch, batch.message());
    }
    int i = buffer.index();
    numbers[i] = buffer.numberInHand(batches.containsKey(batch));
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
