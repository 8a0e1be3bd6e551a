package io.dpuactors.service;

/** Result of a client's transfer of blocks. */
public sealed interface Transfer {
  /**
   * All blocks have arrived.
   *
   * @param blocks number of blocks
   * @param blockBytes size of each block
   * @param elapsedNs time from the first request to the last block
   * @param wrongBlocks number of blocks with wrong content; 0 without a check
   */
  record Transferred(int blocks, int blockBytes, long elapsedNs, int wrongBlocks)
      implements Transfer {
    /** Returns the bytes of all blocks together. */
    public long bytes() {
      return (long) blocks * blockBytes;
    }
  }

  /**
   * The transfer failed.
   *
   * @param why message for users
   */
  record TransferFailed(String why) implements Transfer {}
}
