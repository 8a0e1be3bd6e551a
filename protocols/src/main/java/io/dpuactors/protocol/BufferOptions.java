package io.dpuactors.protocol;

/**
 * Options of the buffers for the tasks of a context.
 *
 * @param pairs number of pairs of a source and a destination, on each engine of the context
 * @param sourceBytes size of each source in bytes
 * @param destinationBytes size of each destination in bytes
 * @param maxWaiting largest number of callers that wait for a pair
 */
public record BufferOptions(int pairs, int sourceBytes, int destinationBytes, int maxWaiting) {
  private static final int DEFAULT_WAITING = 1024;

  /** Returns options with at most 1,024 waiting callers. */
  public static BufferOptions of(int pairs, int sourceBytes, int destinationBytes) {
    return new BufferOptions(pairs, sourceBytes, destinationBytes, DEFAULT_WAITING);
  }

  /** Returns these options with another limit of waiting callers. */
  public BufferOptions withMaxWaiting(int callers) {
    return new BufferOptions(pairs, sourceBytes, destinationBytes, callers);
  }
}
