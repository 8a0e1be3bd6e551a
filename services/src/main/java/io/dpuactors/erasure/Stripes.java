package io.dpuactors.erasure;

/**
 * The division of a file into stripes. A stripe is the content of one block of each data part.
 *
 * @param data number of data parts
 * @param parity number of parity parts; as many parts may be lost
 * @param blockBytes size of each block except those of the last stripe, in bytes
 */
public record Stripes(int data, int parity, int blockBytes) {
  /** Largest number of parts. */
  public static final int MAX_PARTS = 256;

  /** The size of each block is a multiple of this number of bytes, as DOCA requires. */
  public static final int GRANULE = 64;

  /** Checks the numbers; throws IllegalArgumentException that names the wrong one. */
  public Stripes {
    if (data < 1 || parity < 1 || data > MAX_PARTS - parity) {
      throw new IllegalArgumentException(
          "%d data and %d parity parts: at least 1 of each, together at most %d"
              .formatted(data, parity, MAX_PARTS));
    }
    if (blockBytes < GRANULE || blockBytes % GRANULE != 0) {
      throw new IllegalArgumentException(
          "a block size of %d bytes: it must be a multiple of %d".formatted(blockBytes, GRANULE));
    }
    if ((long) Math.max(data, parity) * blockBytes > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "%d blocks of %d bytes: a stripe must be less than 2 GiB"
              .formatted(Math.max(data, parity), blockBytes));
    }
  }

  /** Returns the number of parts. */
  public int parts() {
    return data + parity;
  }

  /** Returns the content of a stripe in bytes, except the last stripe. */
  public int stripeBytes() {
    return data * blockBytes;
  }

  /** Returns the number of stripes of a file; 0 for an empty file. */
  public long count(long fileBytes) {
    return fileBytes / stripeBytes() + (fileBytes % stripeBytes() == 0 ? 0 : 1);
  }

  /** Returns the content of a stripe of a file in bytes. */
  public int contentBytes(long fileBytes, long stripe) {
    return (int) Math.min(stripeBytes(), fileBytes - stripe * stripeBytes());
  }

  /**
   * Returns the size of the blocks of a stripe with this content: the smallest legal one. Zeros
   * follow the content in the last blocks.
   */
  public int blockBytes(int contentBytes) {
    long granules = ((long) contentBytes + (long) data * GRANULE - 1) / ((long) data * GRANULE);
    return (int) Math.max(1, granules) * GRANULE;
  }
}
