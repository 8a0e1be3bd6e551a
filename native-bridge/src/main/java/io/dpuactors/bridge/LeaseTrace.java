package io.dpuactors.bridge;

import org.jspecify.annotations.Nullable;

/** Stack traces of the begin and end of a buffer's current or last lease, for debugging. */
final class LeaseTrace {
  private volatile @Nullable Throwable leasedAt;
  private volatile @Nullable Throwable releasedAt;

  void leased(Lease buffer) {
    leasedAt = trace(buffer, "leased");
  }

  void released(Lease buffer) {
    releasedAt = trace(buffer, "released");
  }

  @Nullable Throwable leasedAt() {
    return leasedAt;
  }

  @Nullable Throwable releasedAt() {
    return releasedAt;
  }

  private static Throwable trace(Lease buffer, String event) {
    return new Throwable(
        buffer + " was " + event + " by thread " + Thread.currentThread().getName());
  }
}
