package io.dpuactors.benchmarks.soak;

import java.util.Locale;

/** The kinds of requests. */
enum Kind {
  COMPRESS,
  DMA,
  SHA,
  SHA_SESSION,
  AES_GCM,
  ERASURE_CODING,
  SYNC_EVENT,
  COMCH,
  RDMA;

  /** Returns the name in tables and JSON. */
  String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
