package io.dpuactors.benchmarks.soak;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Leases of requests, and their content. */
final class SoakBuffers {
  /** Largest content of a source. */
  static final int MAX_BYTES = 16 << 10;

  /** Room for a source, and for the compressed form of random bytes. */
  static final int CAPACITY = 2 * MAX_BYTES;

  /** Divides the content of each source: parts of a hash and two blocks of erasure coding. */
  private static final int GRANULE = 128;

  private SoakBuffers() {}

  /** Two leases of a request. */
  record Pair(Buffer src, Buffer dst) {
    void release() {
      src.release();
      dst.release();
    }
  }

  /** Returns a lease; null: the pool has none, or is closed. */
  static @Nullable Buffer lease(BufferPool pool) {
    try {
      return pool.lease();
    } catch (IllegalStateException e) {
      return null;
    }
  }

  /** Returns two leases; null: a pool has none. */
  static @Nullable Pair lease(BufferPool sources, BufferPool destinations) {
    Buffer src = lease(sources);
    Buffer dst = src == null ? null : lease(destinations);
    if (src == null || dst == null) {
      if (src != null) {
        src.release();
      }
      return null;
    }
    return new Pair(src, dst);
  }

  /** Fills a buffer with a random number of bytes. */
  static void fill(Buffer buffer, SplittableRandom random) {
    int length = GRANULE * (1 + random.nextInt(MAX_BYTES / GRANULE));
    long first = random.nextLong();
    for (int i = 0; i < length; i += Long.BYTES) {
      buffer.bytes().putLong(i, first + (i >> 5));
    }
    buffer.length(length);
  }

  /** Returns a view of the content, in native byte order. */
  static ByteBuffer content(Buffer buffer) {
    ByteBuffer bytes = buffer.bytes();
    return bytes.duplicate().order(bytes.order()).position(0).limit(buffer.length());
  }
}
