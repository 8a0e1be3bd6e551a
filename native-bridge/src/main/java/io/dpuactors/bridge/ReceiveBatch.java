package io.dpuactors.bridge;

import java.util.List;

/** Buffers that a consumer posts together, see {@link DataBatch}: they are filled in order. */
public final class ReceiveBatch extends DataBatch {
  private ReceiveBatch(List<Buffer> buffers) {
    super(buffers);
  }

  /**
   * Makes a batch; lends nothing.
   *
   * @param buffers leased, each once, without chains; in the order in which they are filled
   * @throws IllegalArgumentException when there are none, too many, one twice, one in a chain, or
   *     one that is not leased
   */
  public static ReceiveBatch of(List<Buffer> buffers) {
    return new ReceiveBatch(buffers);
  }

  @Override
  void write(int entry, Buffer buffer) {
    memory.putLong(entry + RingLayout.ENTRY_DST_BUF, buffer.pointer());
    memory.putLong(entry + RingLayout.ENTRY_DST_ADDR, buffer.address());
  }

  /** Each buffer that was filled has the length of what came; before {@link #end}. */
  public void written() {
    for (int i = 0; i < size(); i++) {
      if (results.isDone(i)) {
        buffers().get(i).setWritten(results.produced(i));
      }
    }
  }

  /** Who has filled this buffer; 0 when nobody has. */
  public int producer(int index) {
    return results.isDone(index) ? results.crc32(index) : 0;
  }

  /** The 0 to 32 bytes that came with the content of this buffer. */
  public byte[] immediate(int index) {
    int length = results.isDone(index) ? results.checksum(index) : 0;
    byte[] bytes = new byte[Math.min(length, SubmissionRing.MAX_IMMEDIATE_BYTES)];
    memory.get(entry(index), bytes);
    return bytes;
  }
}
