package io.dpuactors.node;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Waiting requests with the same ordering key, in order of arrival. Engine's thread.
 *
 * @param <R> the requests
 */
final class OrderedQueue<R> {
  /** A waiting request. */
  record Pending<R>(R request, long deadlineNs) {}

  private final Deque<Pending<R>> queue = new ArrayDeque<>();

  /** Whether the queue submits nothing until a request of its key leaves the bridge. */
  private boolean isBlocked;

  /** Whether the queue is listed in {@link WaitingRequests}. */
  boolean isListed;

  boolean isEmpty() {
    return queue.isEmpty();
  }

  int size() {
    return queue.size();
  }

  /** Adds a request at the end. */
  void add(Pending<R> pending) {
    queue.add(pending);
  }

  /** Returns a request to its former position: all waiting requests of this key are younger. */
  void putBack(Pending<R> pending) {
    queue.addFirst(pending);
  }

  /** Blocks the queue, because DOCA accepts no request of this key at the moment. */
  void block() {
    isBlocked = true;
  }

  /** Ends the block. */
  void unblock() {
    isBlocked = false;
  }

  /** Returns whether a request may be submitted now. */
  boolean isReady() {
    return !isBlocked && !queue.isEmpty();
  }

  /** Removes and returns the next request that may be submitted now, or null. */
  @Nullable Pending<R> poll() {
    return isBlocked ? null : queue.poll();
  }

  /** Plans a turn for the next deadline. */
  void plan(NextTurn next) {
    Pending<R> head = queue.peek();
    if (head != null) {
      next.at(head.deadlineNs);
    }
  }

  /** Removes all requests whose deadline has passed. */
  void expire(long nowNs, Consumer<R> late) {
    // All requests have the same allowance: the head expires first.
    Pending<R> head;
    while ((head = queue.peek()) != null && head.deadlineNs - nowNs <= 0) {
      queue.remove();
      late.accept(head.request);
    }
  }

  /** Removes all requests. */
  void clear(Consumer<R> each) {
    Pending<R> next;
    while ((next = queue.poll()) != null) {
      each.accept(next.request);
    }
  }
}
