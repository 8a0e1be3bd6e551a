package io.dpuactors.bridge;

import io.dpuactors.bridge.jna.RingLayout;
import java.util.List;

/** Buffers that a consumer posts together; the peer fills them in order. */
public final class ReceiveBatch extends Batch {
  private ReceiveBatch(BatchBuffers buffers) {
    super(buffers);
    for (int task = 0; task < size(); task++) {
      writeDestination(task, buffers.destinations().get(task));
    }
  }

  /**
   * Creates a batch. Lends all of its buffers.
   *
   * @param buffers leased, each once, of one pool, without chains; in the order of filling
   * @throws IllegalArgumentException when there are none or too many, one is in the list twice or
   *     in a chain, or they are of more than one pool; nothing was lent
   * @throws IllegalStateException when one is not leased; nothing was lent
   */
  public static ReceiveBatch of(List<Buffer> buffers) {
    ReceiveBatch batch = new ReceiveBatch(BatchBuffers.lendDestinations(buffers));
    batch.join();
    return batch;
  }

  /**
   * Returns the buffers in their given order; the length of each is that of its received content.
   */
  public List<Buffer> buffers() {
    return buffers.destinations();
  }

  /** Returns the pool of the buffers. */
  public BufferPool pool() {
    return buffers().get(0).pool();
  }

  /** Returns the id of the producer that filled this buffer; 0 if none did. */
  public int producer(int index) {
    return results().isDone(index) ? results().crc32(index) : 0;
  }

  /** Returns the 0 to 32 bytes of immediate data received with this buffer. */
  public byte[] immediate(int index) {
    int length = results().isDone(index) ? results().checksum(index) : 0;
    byte[] bytes = new byte[Math.min(length, RingLayout.IMMEDIATE_BYTES)];
    memory.get(entry(index), bytes);
    return bytes;
  }
}
