package io.dpuactors.bridge;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Messages about the leased buffers of a pool. */
final class LeaseReport {
  private static final int NAMED_LEASES = 16;

  private LeaseReport() {}

  static int count(List<Buffer> buffers) {
    return (int) leased(buffers).count();
  }

  /**
   * Creates the exception for a pool that cannot be closed.
   *
   * @return names the leased buffers; suppressed exceptions have the stacks of their holders while
   *     leases are debugged
   */
  static IllegalStateException stillLeased(BufferPool pool, List<Buffer> buffers, int missing) {
    String named =
        leased(buffers)
            .limit(NAMED_LEASES)
            .map(buffer -> buffer.index() + (buffer.isLent() ? " (lent to a context)" : ""))
            .collect(Collectors.joining(", "));
    IllegalStateException failure =
        new IllegalStateException(
            "close: " + missing + " buffers of the " + pool + " are still leased: " + named);
    leased(buffers)
        .limit(NAMED_LEASES)
        .map(buffer -> buffer.trace().leasedAt())
        .forEach(
            trace -> {
              if (trace != null) {
                failure.addSuppressed(trace);
              }
            });
    return failure;
  }

  private static Stream<Buffer> leased(List<Buffer> buffers) {
    return buffers.stream().filter(Buffer::isLeased);
  }
}
