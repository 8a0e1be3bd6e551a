package io.dpuactors.node;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Requests that wait and must not overtake each other: first those that DOCA has refused for the
 * moment, then those that came behind them. Engine's thread.
 *
 * @param <R> the requests
 */
final class Strand<R> {
  /** A request that waits. */
  record Pending<R>(R request, long sequence, long deadlineNs) {}

  private final LaneSettings settings;
  private final Deque<Pending<R>> queue = new ArrayDeque<>();
  private final Queue<Pending<R>> refused =
      new PriorityQueue<>(Comparator.comparingLong((Pending<R> pending) -> pending.sequence));
  private int rounds;
  private long nextTryNs;

  /** All that was refused may be tried; over when one is refused anew. */
  private boolean isTrying;

  /** Whether its lane knows that something waits here. */
  boolean isListed;

  Strand(LaneSettings settings) {
    this.settings = settings;
  }

  boolean isEmpty() {
    return queue.isEmpty() && refused.isEmpty();
  }

  int size() {
    return queue.size() + refused.size();
  }

  /** Comes last. */
  void add(Pending<R> pending) {
    queue.add(pending);
  }

  /** Comes back to where it was. */
  void refuse(Pending<R> pending) {
    refused.add(pending);
    isTrying = false;
  }

  /** DOCA takes requests again. */
  void succeeded() {
    rounds = 0;
  }

  /** Whether something is to be tried again, and when. */
  boolean isRefused() {
    return !refused.isEmpty();
  }

  /** When {@link #isRefused}. */
  long nextTryNs() {
    return nextTryNs;
  }

  /**
   * Says when something is to be tried again, or passes its deadline.
   *
   * @return whether all has to wait for a time at which it is tried again
   */
  boolean plan(NextTurn next) {
    planExpiry(refused, next);
    planExpiry(queue, next);
    if (isRefused()) {
      next.at(nextTryNs);
    }
    return isRefused();
  }

  private void planExpiry(Queue<Pending<R>> waiting, NextTurn next) {
    Pending<R> head = waiting.peek();
    if (head != null) {
      next.at(head.deadlineNs);
    }
  }

  /** Takes the next one out that may be submitted now; null: none. */
  @Nullable Pending<R> poll(long nowNs) {
    if (refused.isEmpty()) {
      return queue.poll();
    }
    if (!isTrying) {
      if (nowNs - nextTryNs < 0) {
        return null;
      }
      isTrying = true;
      rounds++;
      nextTryNs = rounds <= settings.retryTurns() ? nowNs : nowNs + settings.retryDelayNs();
    }
    return refused.poll();
  }

  /** There was no room for it after all. */
  void putBack(Pending<R> pending, boolean wasRefused) {
    if (wasRefused) {
      refused.add(pending);
    } else {
      queue.addFirst(pending);
    }
  }

  /** Takes out all whose deadline has passed. */
  void expire(long nowNs, Consumer<R> late) {
    expire(refused, nowNs, late);
    expire(queue, nowNs, late);
  }

  private void expire(Queue<Pending<R>> waiting, long nowNs, Consumer<R> late) {
    // Both are in order of arrival and every request has the same allowance: the head expires
    // first.
    Pending<R> head;
    while ((head = waiting.peek()) != null && head.deadlineNs - nowNs <= 0) {
      waiting.remove();
      late.accept(head.request);
    }
  }

  /** Takes out all. */
  void clear(Consumer<R> each) {
    Pending<R> next;
    while ((next = refused.poll()) != null || (next = queue.poll()) != null) {
      each.accept(next.request);
    }
  }
}
