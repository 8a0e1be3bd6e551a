package io.dpuactors.bridge;

import java.util.List;

/**
 * Buffers that a producer sends together, in order, without immediate data: in each run to one
 * consumer, which need not be that of the run before.
 */
public final class SendBatch extends Batch {
  /** For whom the entries are; 0: nobody, which is no consumer's number. */
  private int consumer;

  private SendBatch(BatchBuffers buffers) {
    super(buffers);
    for (int task = 0; task < size(); task++) {
      writeSource(task, buffers.sources().get(task));
    }
  }

  /**
   * Makes a batch of buffers that have their content already. Lends all of them.
   *
   * @param buffers leased, each once, without chains
   * @throws IllegalArgumentException when there are none, too many, one twice, or one in a chain;
   *     nothing was lent
   * @throws IllegalStateException when one is not leased; nothing was lent
   */
  public static SendBatch of(List<Buffer> buffers) {
    SendBatch batch = new SendBatch(BatchBuffers.lendSources(buffers));
    batch.join();
    return batch;
  }

  /** As they were given. */
  public List<Buffer> buffers() {
    return buffers.sources();
  }

  /**
   * A run begins, as of {@link #begin()}.
   *
   * @param to the consumer, as a record of {@link RecordType#CONSUMER_NEW} names it
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

  /** For whom the last run is. */
  int consumer() {
    return consumer;
  }
}
