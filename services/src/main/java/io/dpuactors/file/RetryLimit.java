package io.dpuactors.file;

import io.dpuactors.file.FileFailure.Kind;
import java.nio.file.Path;
import java.time.Duration;

/** Limits the retries while a context is busy or a pool is empty. Thread: the file's. */
final class RetryLimit {
  /** Time between two attempts. */
  static final Duration PAUSE = Duration.ofMillis(1);

  /** Time after the first failed attempt that fails the file. */
  static final Duration LIMIT = Duration.ofSeconds(30);

  /** {@code System.nanoTime} of the first failed attempt; 0: none. */
  private long sinceNs;

  /** Clears the failed attempts. */
  void reset() {
    sinceNs = 0;
  }

  /** Counts a failed attempt. Returns whether the limit has passed. */
  boolean hasPassed() {
    long now = System.nanoTime();
    sinceNs = sinceNs == 0 ? now : sinceNs;
    return now - sinceNs > LIMIT.toNanos();
  }

  /** Returns the failure of a block that a context has refused until the limit. */
  static FileException busy(Path input, long block) {
    return new FileException(
        FileFailure.atBlock(
            Kind.TASK, input, block, "the context was busy for %d s".formatted(LIMIT.toSeconds())));
  }
}
