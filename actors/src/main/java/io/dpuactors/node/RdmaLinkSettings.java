package io.dpuactors.node;

/**
 * Settings of the connections of an RDMA context.
 *
 * @param lane settings of the tasks of one connection
 * @param share number of received messages that may wait
 * @param times start: limit for the establishment; drain: for tasks in flight and messages that
 *     wait; stop: for the disconnect
 */
public record RdmaLinkSettings(LaneSettings lane, int share, ContextTimes times) {

  /** Checks the range. */
  public RdmaLinkSettings {
    if (share < 1) {
      throw new IllegalArgumentException("share is " + share + "; it must be at least 1");
    }
  }
}
