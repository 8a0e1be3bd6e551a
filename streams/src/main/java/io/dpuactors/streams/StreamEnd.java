package io.dpuactors.streams;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pekko.Done;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * The counters of one stream over a connection, and its materialized value. The value completes
 * when the stage has stopped and the connection has closed. Any thread.
 */
final class StreamEnd {
  private final AtomicLong elementsIn = new AtomicLong();
  private final AtomicLong bytesIn = new AtomicLong();
  private final AtomicLong elementsOut = new AtomicLong();
  private final AtomicLong bytesOut = new AtomicLong();
  private final CompletableFuture<Done> stopped = new CompletableFuture<>();
  private final CompletableFuture<Done> closed = new CompletableFuture<>();
  private volatile @Nullable Throwable failure;
  private volatile boolean awaitsPeer;
  private volatile boolean awaitsClose;

  /** Counts an element from upstream. */
  ByteString in(ByteString element) {
    elementsIn.incrementAndGet();
    bytesIn.addAndGet(element.size());
    return element;
  }

  /** Counts an element that goes downstream. */
  ByteString out(ByteString element) {
    elementsOut.incrementAndGet();
    bytesOut.addAndGet(element.size());
    return element;
  }

  /** Notes the failure of the stream. A later one has no effect. */
  void fail(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
  }

  /** The peer closes the connection, when it has received the failure of this stream. */
  void awaitPeer() {
    awaitsPeer = true;
  }

  boolean awaitsPeer() {
    return awaitsPeer;
  }

  /** The relay of the connection, or the actor that opens the connection, reports the close. */
  void awaitClose() {
    awaitsClose = true;
  }

  /** The stage has stopped: nothing is counted any more. */
  void stopped() {
    stopped.complete(Done.getInstance());
    if (!awaitsClose) {
      closed();
    }
  }

  /** The connection has closed, or was never opened. Idempotent. */
  void closed() {
    closed.complete(Done.getInstance());
  }

  CompletionStage<StreamStatistics> result() {
    return stopped.thenCompose(done -> closed).thenCompose(done -> statistics());
  }

  private CompletionStage<StreamStatistics> statistics() {
    Throwable cause = failure;
    return cause != null
        ? CompletableFuture.failedStage(cause)
        : CompletableFuture.completedStage(
            new StreamStatistics(
                elementsIn.get(), bytesIn.get(), elementsOut.get(), bytesOut.get(), 0));
  }
}
