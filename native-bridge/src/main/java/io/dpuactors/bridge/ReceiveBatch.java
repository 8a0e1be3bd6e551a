package io.dpuactors.bridge;

import java.util.List;

/** Buffers that a consumer posts together: they are filled in order. */
public final class ReceiveBatch extends Batch {
  private ReceiveBatch(BatchBuffers buffers) {
    super(buffers);
    for (int task = 0; task < size(); task++) {
      writeDestination(task, buffers.destinations().get(task));
    }
  }

  /**
   * Makes a batch. Lends all of its buffers.
   *
   * @param buffers leased, each once, of one pool, without chains; in the order in which they are
   *     filled
   * @throws IllegalArgumentException when there are none, too many, one twice, one in a chain, or
   *     they are of more than one pool; nothing was lent
   * @throws IllegalStateException when one is not leased; nothing was lent
   */
  public static ReceiveBatch of(List<Buffer> buffers) {
    ReceiveBatch batch = new ReceiveBatch(BatchBuffers.lendDestinations(buffers));
    batch.join();
    return batch;
  }

  /** As they were given; the length of each is that of what came, 0 when nothing came. */
  public List<Buffer> buffers() {
    return buffers.destinations();
  }

  /** Where all of its buffers are of. */
  public BufferPool pool() {
    return buffers().get(0).pool();
  }

  /** Who has filled this buffer; 0 when nobody has. */
  public int producer(int index) {
    return results().isDone(index) ? results().crc32(index) : 0;
  }

  /** The 0 to 32 bytes that came with the content of this buffer. */
  public byte[] immediate(int index) {
    int length = results().isDone(index) ? results().checksum(index) : 0;
    byte[] bytes = new byte[Math.min(length, SubmissionRing.MAX_IMMEDIATE_BYTES)];
    memory.get(entry(index), bytes);
    return bytes;
  }
}
