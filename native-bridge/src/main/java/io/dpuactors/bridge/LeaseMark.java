package io.dpuactors.bridge;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The leases of a pool that holders had in their hands at one moment: no request had them, and no
 * answer was on its way with them. An actor that restarts makes a mark, so that exactly the leases
 * of its earlier life can be released.
 *
 * <p>Leases and batches that an answer carried count once their holder has looked at them.
 */
public final class LeaseMark {
  private final long[] numbers;
  private final @Nullable Object[] messages;
  private final Map<Batch, @Nullable Object> batches = new HashMap<>();

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
    Batch batch = buffer.batch();
    if (batch != null && batch.isInHand()) {
      batches.put(batch, batch.message());
    }
    int i = buffer.index();
    numbers[i] = buffer.numberInHand(batches.containsKey(batch));
    messages[i] = buffer.message();
  }

  /** Closes those of these batches that are marked and have not run since. */
  void closeBatches(Set<Batch> ofScope) {
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
