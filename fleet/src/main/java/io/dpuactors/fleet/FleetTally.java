package io.dpuactors.fleet;

import java.util.Map;
import java.util.TreeMap;

/** Counts the results of a client's jobs by node. Thread: any. */
public final class FleetTally {
  /**
   * Results of one node.
   *
   * @param blocks results that counted
   * @param bytesIn input of these blocks
   */
  public record Share(long blocks, long bytesIn) {}

  private final Map<String, Share> shares = new TreeMap<>();
  private long repeated;
  private long dropped;

  /** Creates a tally without results. */
  public FleetTally() {}

  synchronized void count(String node, int bytesIn) {
    shares.merge(
        node,
        new Share(1, bytesIn),
        (old, one) -> new Share(old.blocks() + 1, old.bytesIn() + one.bytesIn()));
  }

  synchronized void countRepeated() {
    repeated++;
  }

  synchronized void countDropped() {
    dropped++;
  }

  /** Returns the shares by address of the node, in order. */
  public synchronized Map<String, Share> shares() {
    return new TreeMap<>(shares);
  }

  /**
   * Returns how often a request waited again, because its block failed or had no result in time. A
   * block of a worker that has ended does not count: Pekko sends that block to another worker.
   */
  public synchronized long repeated() {
    return repeated;
  }

  /** Returns the number of results that did not count, because the block had a result already. */
  public synchronized long dropped() {
    return dropped;
  }
}
