package io.dpuactors.bridge;

import io.dpuactors.bridge.jna.RingLayout;
import java.util.List;

/**
 * Buffers that a producer sends together, in order, without immediate data. Each run sends to one
 * consumer; runs may have different consumers.
 */
public final class SendBatch extends Batch {
  /** Consumer of the entries; 0: none, an id that no consumer has. */
  private int consumer;

  private SendBatch(BatchBuffers buffers) {
    super(buffers);
    for (int task = 0; task < size(); task++) {
      writeSource(task, buffers.sources().get(task));
    }
  }

  /**
   * Creates a batch of buffers that have their content already. Lends all of them.
   *
   * @param buffers leased, each once, without chains
   * @throws IllegalArgumentException when there are none or too many, or one is in the list twice
   *     or in a chain; nothing was lent
   * @throws IllegalStateException when one is not leased; nothing was lent
   */
  public static SendBatch of(List<Buffer> buffers) {
    SendBatch batch = new SendBatch(BatchBuffers.lendSources(buffers));
    batch.join();
    return batch;
  }

  /** Returns the buffers in their given order. */
  public List<Buffer> buffers() {
    return buffers.sources();
  }

  /**
   * Begins a run, as {@link #begin()}.
   *
   * @param to the consumer's id, from the event of its creation
   */
  public boolean begin(int to) {
    if (!begin()) {
      return false;
    }
    if (to != consumer) {
      consumer = to;
      for (int task = 0; task < size(); task++) {
        memory.putLong(entry(task) + RingLayout.ENTRY_ARGUMENT, Integer.toUnsignedLong(to));
      }
      forget(0);
    }
    return true;
  }

  /** Returns the consumer of the last run. */
  public int consumer() {
    return consumer;
  }
}
