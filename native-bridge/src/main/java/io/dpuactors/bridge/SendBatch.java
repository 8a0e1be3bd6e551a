package io.dpuactors.bridge;

import java.util.List;

/** Buffers that a producer sends together to one consumer, in order, without immediate data. */
public final class SendBatch extends Batch {
  private final int consumer;

  private SendBatch(BatchBuffers buffers, int consumer) {
    super(buffers);
    this.consumer = consumer;
    for (int task = 0; task < size(); task++) {
      writeSource(task, buffers.sources().get(task));
      memory.putLong(entry(task) + RingLayout.ENTRY_ARGUMENT, Integer.toUnsignedLong(consumer));
    }
  }

  /**
   * Makes a batch of buffers that have their content already. Lends all of them.
   *
   * @param buffers leased, each once, without chains
   * @param consumer as a record of {@link RecordType#CONSUMER_NEW} names it
   * @throws IllegalArgumentException when there are none, too many, one twice, or one in a chain;
   *     nothing was lent
   * @throws IllegalStateException when one is not leased; nothing was lent
   */
  public static SendBatch of(List<Buffer> buffers, int consumer) {
    SendBatch batch = new SendBatch(BatchBuffers.lendSources(buffers), consumer);
    batch.join();
    return batch;
  }

  /** As they were given. */
  public List<Buffer> buffers() {
    return buffers.sources();
  }

  /** For whom it is. */
  public int consumer() {
    return consumer;
  }
}
