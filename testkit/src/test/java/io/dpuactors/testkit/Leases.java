package io.dpuactors.testkit;

import static java.util.Objects.requireNonNull;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;

/** Leases of pools that must have a free buffer. */
final class Leases {
  private Leases() {}

  /** Leases a buffer. */
  static Buffer lease(BufferPool pool) {
    return requireNonNull(pool.lease(), () -> pool + " has no free buffer");
  }
}
