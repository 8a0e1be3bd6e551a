package io.dpuactors.node;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Waiting requests with the same ordering key, which must not overtake each other. Requests that
 * DOCA refused temporarily precede those that arrived later. A refusal blocks the queue for the
 * retry delay, or until DOCA completes a request of this key. Engine's thread.
 *
 * @param <R> the requests
 */
final class OrderedQueue<R> {
  /** A waiting request. */
  record Pending<R>(R request, long sequence, long deadlineNs) {}

  private final LaneSettings settings;
  private final Deque<Pending<R>> queue = new ArrayDeque<>();
  private final Queue<Pending<R>> refused =
      new PriorityQueue<>(Comparator.comparingLong((Pending<R> pending) -> pending.sequence));

  /** End of the block. Valid only while {@link #refused} is not empty. */
  private long blockedUntilNs;

  /** Whether the queue is listed in {@link WaitingRequests}. */
  boolean isListed;

  OrderedQueue(LaneSettings settings) {
    this.settings = settings;
  }

  boolean isEmpty() {
    return queue.isEmpty() && refused.isEmpty();
  }

  int size() {
    return queue.size() + refused.size();
  }

  /** Adds a request at the end. */
  void add(Pending<R> pending) {
    queue.add(pending);
  }

  /** Returns a refused request to its former position, and blocks the queue. */
  void refuse(Pending<R> pending, long nowNs) {
    refused.add(pending);
    blockedUntilNs = nowNs + settings.retryDelayNs();
  }

  /** Ends the block, because DOCA accepts requests again. */
  void succeeded(long nowNs) {
    blockedUntilNs = nowNs;
  }

  /** Returns whether the first request was refused before. */
  boolean isRefused() {
    return !refused.isEmpty();
  }

  /** Returns whether a refused request may be submitted again. */
  boolean isDue(long nowNs) {
    return isRefused() && !isBlocked(nowNs);
  }

  private boolean isBlocked(long nowNs) {
    return isRefused() && nowNs - blockedUntilNs < 0;
  }

  /**
   * Plans turns for the end of the block and the next deadline.
   *
   * @return whether a refusal blocks the queue
   */
  boolean plan(long nowNs, NextTurn next) {
    planExpiry(refused, next);
    planExpiry(queue, next);
    boolean isBlocked = isBlocked(nowNs);
    if (isBlocked) {
      next.at(blockedUntilNs);
    }
    return isBlocked;
  }

  private void planExpiry(Queue<Pending<R>> waiting, NextTurn next) {
    Pending<R> head = waiting.peek();
    if (head != null) {
      next.at(head.deadlineNs);
    }
  }

  /** Removes and returns the next request that may be submitted now, or null. */
  @Nullable Pending<R> poll(long nowNs) {
    if (isBlocked(nowNs)) {
      return null;
    }
    return refused.isEmpty() ? queue.poll() : refused.poll();
  }

  /** Returns a polled request to its position, because there was no room for it. */
  void putBack(Pending<R> pending, boolean wasRefused) {
    if (wasRefused) {
      refused.add(pending);
    } else {
      queue.addFirst(pending);
    }
  }

  /** Removes all requests whose deadline has passed. */
  void expire(long nowNs, Consumer<R> late) {
    expire(refused, nowNs, late);
    expire(queue, nowNs, late);
  }

  private void expire(Queue<Pending<R>> waiting, long nowNs, Consumer<R> late) {
    // Both queues are in order of arrival, and all requests have the same allowance: the head
    // expires first.
    Pending<R> head;
    while ((head = waiting.peek()) != null && head.deadlineNs - nowNs <= 0) {
      waiting.remove();
      late.accept(head.request);
    }
  }

  /** Removes all requests. */
  void clear(Consumer<R> each) {
    Pending<R> next;
    while ((next = refused.poll()) != null || (next = queue.poll()) != null) {
      each.accept(next.request);
    }
  }
}
