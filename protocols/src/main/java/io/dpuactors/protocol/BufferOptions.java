package io.dpuactors.protocol;

/**
 * Options of the buffers for the tasks of a context.
 *
 * @param pairs number of pairs of a source and a destination, on each engine of the context
 * @param sourceBytes size of each source in bytes
 * @param destinationBytes size of each destination in bytes
 * @param maxWaiting largest number of callers that wait for a pair
 * @param hugePages whether to try huge pages, as {@link io.dpuactors.bridge.MemoryOptions} does
 */
public record BufferOptions(
    int pairs, int sourceBytes, int destinationBytes, int maxWaiting, boolean hugePages) {
  private static final int DEFAULT_WAITING = 1024;

  /** Returns options with at most 1,024 waiting callers, on ordinary pages. */
  public static BufferOptions of(int pairs, int sourceBytes, int destinationBytes) {
    return new BufferOptions(pairs, sourceBytes, destinationBytes, DEFAULT_WAITING, false);
  }

  /** Returns these options with another limit of waiting callers. */
  public BufferOptions withMaxWaiting(int callers) {
    return new BufferOptions(pairs, sourceBytes, destinationBytes, callers, hugePages);
  }

  /** Returns these options with huge pages, if available. */
  public BufferOptions withHugePages() {
    return new BufferOptions(pairs, sourceBytes, destinationBytes, maxWaiting, true);
  }
}
