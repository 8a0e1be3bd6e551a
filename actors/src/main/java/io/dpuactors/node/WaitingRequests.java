package io.dpuactors.node;

import io.dpuactors.node.OrderedQueue.Pending;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

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
    boolean take(R request, long deadlineNs);
  }

  private final Requests<R> requests;

  /** The queue of requests with key 0, and the queues of all other keys. */
  private final OrderedQueue<R> common = new OrderedQueue<>();

  private final Map<Integer, OrderedQueue<R>> others = new HashMap<>();

  /** The queues that contain requests, in round-robin order. */
  private final Deque<OrderedQueue<R>> turns = new ArrayDeque<>();

  WaitingRequests(Requests<R> requests) {
    this.requests = requests;
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

  /**
   * Returns a request from the bridge to its former position. The key of the request is blocked
   * until {@link #unblock}: the bridge holds an older request of the key.
   */
  void putBack(Pending<R> pending) {
    OrderedQueue<R> queue = queueOf(pending.request());
    queue.putBack(pending);
    queue.block();
    list(queue);
  }

  /** Admits the key of a request again, because the request has left the bridge. */
  void unblock(R request) {
    OrderedQueue<R> queue = find(requests.order(request));
    if (queue != null) {
      queue.unblock();
    }
  }

  /** Returns whether requests with several ordering keys may wait. */
  boolean isKeyed() {
    return !others.isEmpty();
  }

  /** Returns whether a request of another key waits for room. */
  boolean hasOther(R request) {
    OrderedQueue<R> own = find(requests.order(request));
    for (OrderedQueue<R> queue : turns) {
      if (queue != own && queue.isReady()) {
        return true;
      }
    }
    return false;
  }

  private @Nullable OrderedQueue<R> find(int order) {
    return order == 0 ? common : others.get(order);
  }

  private OrderedQueue<R> queueOf(R request) {
    int order = requests.order(request);
    return order == 0 ? common : others.computeIfAbsent(order, fresh -> new OrderedQueue<>());
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
    if (!others.isEmpty()) {
      others.values().removeIf(queue -> !queue.isListed);
    }
  }

  /** Removes all requests whose deadline has passed. */
  void expire(long nowNs, Consumer<R> late) {
    for (OrderedQueue<R> queue : turns) {
      queue.expire(nowNs, late);
    }
    turns.removeIf(this::isDoneWith);
  }

  /**
   * Submits requests, one per queue in turn and oldest first, until there is no room.
   *
   * @return whether requests still wait for room
   */
  boolean submit(Taker<R> taker) {
    boolean isShort = false;
    int stuck = 0;
    while (stuck < turns.size()) {
      OrderedQueue<R> queue = turns.element();
      Pending<R> next = queue.poll();
      boolean isTaken = next != null && taker.take(next.request(), next.deadlineNs());
      if (next != null && !isTaken) {
        queue.putBack(next);
        isShort = true;
        if (!requests.ordersByKind()) {
          return true;
        }
      }
      turns.remove();
      boolean isListed = !isDoneWith(queue);
      if (isListed) {
        turns.add(queue);
      }
      stuck = !isTaken && isListed ? stuck + 1 : 0;
    }
    return isShort;
  }

  /**
   * Plans a turn for the next deadline.
   *
   * @return whether a request waits for room
   */
  boolean plan(NextTurn next) {
    boolean isReady = false;
    for (OrderedQueue<R> queue : turns) {
      queue.plan(next);
      isReady |= queue.isReady();
    }
    return isReady;
  }

  /** Removes all requests. */
  void clear(Consumer<R> each) {
    common.clear(each);
    others.values().forEach(queue -> queue.clear(each));
  }
}
