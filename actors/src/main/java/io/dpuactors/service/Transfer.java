package io.dpuactors.service;

/** What became of blocks that a client wanted. */
public sealed interface Transfer {
  /**
   * They are here.
   *
   * @param blocks how many
   * @param blockBytes size of each
   * @param elapsedNs from the first request to the last block
   * @param wrongBlocks blocks whose content is wrong; 0 as well when nobody looked
   */
  record Transferred(int blocks, int blockBytes, long elapsedNs, int wrongBlocks)
      implements Transfer {
    /** All blocks together. */
    public long bytes() {
      return (long) blocks * blockBytes;
    }
  }

  /** They are not; why, for people. */
  record TransferFailed(String why) implements Transfer {}
}
