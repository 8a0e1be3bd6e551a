package io.dpuactors.bridge;

import java.util.List;

/**
 * Buffers that a producer sends together to one consumer, see {@link DataBatch}: the content that
 * each has when a run begins, without immediate data.
 */
public final class SendBatch extends DataBatch {
  private final int consumer;

  private SendBatch(List<Buffer> buffers, int consumer) {
    super(buffers);
    this.consumer = consumer;
  }

  /**
   * Makes a batch; lends nothing.
   *
   * @param buffers leased, each once, without chains
   * @param consumer as a record of {@link RecordType#CONSUMER_NEW} names it
   * @throws IllegalArgumentException when there are none, too many, one twice, one in a chain, or
   *     one that is not leased
   */
  public static SendBatch of(List<Buffer> buffers, int consumer) {
    return new SendBatch(buffers, consumer);
  }

  /** For whom it is. */
  public int consumer() {
    return consumer;
  }

  @Override
  void write(int entry, Buffer buffer) {
    memory.putLong(entry + RingLayout.ENTRY_SRC_BUF, buffer.pointer());
    memory.putLong(entry + RingLayout.ENTRY_SRC_ADDR, buffer.address());
    memory.putLong(entry + RingLayout.ENTRY_SRC_LEN, buffer.length());
    memory.putLong(entry + RingLayout.ENTRY_ARGUMENT, Integer.toUnsignedLong(consumer));
  }
}
