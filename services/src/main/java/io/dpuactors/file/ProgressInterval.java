package io.dpuactors.file;

import java.time.Duration;

/** Limits progress events: each wakes other threads while the device needs the cores. */
final class ProgressInterval {
  private static final long INTERVAL_NS = Duration.ofMillis(50).toNanos();

  private long nextNs = System.nanoTime();

  /** Returns whether an event is due, and then begins the next interval. */
  boolean isDue() {
    long now = System.nanoTime();
    boolean due = now - nextNs >= 0;
    nextNs = due ? now + INTERVAL_NS : nextNs;
    return due;
  }
}
