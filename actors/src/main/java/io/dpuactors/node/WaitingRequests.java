package io.dpuactors.node;

import io.dpuactors.node.OrderedQueue.Pending;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The requests of a {@link TaskLane} that wait on this side of the bridge: one queue for each
 * ordering key, served round robin. Engine's thread.
 *
 * @param <R> the requests
 */
final class WaitingRequests<R> {
  /** Destination of waiting requests. */
  interface Taker<R> {
    /** Takes a request. Returns false if there is no room at the moment. */
    boolean take(R request, long sequence, long deadlineNs);
  }

  private final LaneSettings settings;
  private final Requests<R> requests;

  /** The queue of requests with key 0, and the queues of all other keys. */
  private final OrderedQueue<R> common;

  private final Map<Integer, OrderedQueue<R>> others = new HashMap<>();

  /** The queues that contain requests, in round-robin order. */
  private final Deque<OrderedQueue<R>> turns = new ArrayDeque<>();

  WaitingRequests(LaneSettings settings, Requests<R> requests) {
    this.settings = settings;
    this.requests = requests;
    this.common = new OrderedQueue<>(settings);
  }

  /**
   * Returns whether no request waits. Requests that {@link #clear} removed count until the next
   * check.
   */
  boolean isEmpty() {
    return turns.isEmpty();
  }

  int size() {
    int all = common.size();
    if (!others.isEmpty()) {
      all += others.values().stream().mapToInt(OrderedQueue::size).sum();
    }
    return all;
  }

  /** Returns whether no waiting request precedes this one. */
  boolean isFree(R request) {
    return turns.isEmpty() || (requests.order(request) != 0 && queueOf(request).isEmpty());
  }

  /** Adds a request at the end of its queue. */
  void add(Pending<R> pending) {
    OrderedQueue<R> queue = queueOf(pending.request());
    queue.add(pending);
    list(queue);
  }

  /** Returns a request that DOCA refused temporarily to its former position. */
  void refuse(Pending<R> pending, long nowNs) {
    OrderedQueue<R> queue = queueOf(pending.request());
    queue.refuse(pending, nowNs);
    list(queue);
  }

  /** Ends the block of the request's queue, because DOCA accepts its requests again. */
  void succeeded(R request, long nowNs) {
    int order = requests.order(request);
    OrderedQueue<R> queue = order == 0 ? common : others.get(order);
    if (queue != null) {
      queue.succeeded(nowNs);
    }
  }

  private OrderedQueue<R> queueOf(R request) {
    int order = requests.order(request);
    return order == 0
        ? common
        : others.computeIfAbsent(order, fresh -> new OrderedQueue<>(settings));
  }

  private void list(OrderedQueue<R> queue) {
    if (!queue.isListed) {
      queue.isListed = true;
      turns.add(queue);
    }
  }

  /** Unlists the queue if it is empty, and returns whether it is. */
  private boolean isDoneWith(OrderedQueue<R> queue) {
    queue.isListed = !queue.isEmpty();
    return !queue.isListed;
  }

  /** Removes the empty queues. */
  void forget() {
    // A retried request is by now in its queue again or on the device.
    if (!others.isEmpty()) {
      others.values().removeIf(queue -> !queue.isListed);
    }
  }

  /**
   * Removes all requests whose deadline has passed.
   *
   * @return whether a refused request is due for a retry
   */
  boolean expire(long nowNs, Consumer<R> late) {
    boolean isDue = false;
    for (OrderedQueue<R> queue : turns) {
      queue.expire(nowNs, late);
      isDue |= queue.isDue(nowNs);
    }
    turns.removeIf(this::isDoneWith);
    return isDue;
  }

  /** Submits requests, one per queue in turn and oldest first, until there is no room. */
  void submit(long nowNs, Taker<R> taker) {
    int stuck = 0;
    while (stuck < turns.size()) {
      OrderedQueue<R> queue = turns.element();
      boolean wasRefused = queue.isRefused();
      Pending<R> next = queue.poll(nowNs);
      if (next != null && !taker.take(next.request(), next.sequence(), next.deadlineNs())) {
        queue.putBack(next, wasRefused);
        return;
      }
      stuck = next == null ? stuck + 1 : 0;
      turns.remove();
      if (!isDoneWith(queue)) {
        turns.add(queue);
      }
    }
  }

  /**
   * Plans turns for the next retry and the next deadline.
   *
   * @return whether a request only waits for room
   */
  boolean plan(long nowNs, NextTurn next) {
    boolean isReady = false;
    for (OrderedQueue<R> queue : turns) {
      isReady |= !queue.plan(nowNs, next);
    }
    return isReady;
  }

  /** Removes all requests. */
  void clear(Consumer<R> each) {
    common.clear(each);
    others.values().forEach(queue -> queue.clear(each));
  }
}
