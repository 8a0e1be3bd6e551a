package io.dpuactors.node;

import io.dpuactors.node.Strand.Pending;
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
  private final Strand<R> common;

  private final Map<Integer, Strand<R>> others = new HashMap<>();

  /** The queues that contain requests, in round-robin order. */
  private final Deque<Strand<R>> turns = new ArrayDeque<>();

  WaitingRequests(LaneSettings settings, Requests<R> requests) {
    this.settings = settings;
    this.requests = requests;
    this.common = new Strand<>(settings);
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
      all += others.values().stream().mapToInt(Strand::size).sum();
    }
    return all;
  }

  /** Returns whether no waiting request precedes this one. */
  boolean isFree(R request) {
    return turns.isEmpty() || (requests.order(request) != 0 && strand(request).isEmpty());
  }

  /** Adds a request at the end of its queue. */
  void add(Pending<R> pending) {
    Strand<R> strand = strand(pending.request());
    strand.add(pending);
    list(strand);
  }

  /** Returns a request that DOCA refused temporarily to its former position. */
  void refuse(Pending<R> pending) {
    Strand<R> strand = strand(pending.request());
    strand.refuse(pending);
    list(strand);
  }

  /** Resets the retries of the request's queue, because DOCA accepts its requests again. */
  void succeeded(R request) {
    int order = requests.order(request);
    Strand<R> strand = order == 0 ? common : others.get(order);
    if (strand != null) {
      strand.succeeded();
    }
  }

  private Strand<R> strand(R request) {
    int order = requests.order(request);
    return order == 0 ? common : others.computeIfAbsent(order, fresh -> new Strand<>(settings));
  }

  private void list(Strand<R> strand) {
    if (!strand.isListed) {
      strand.isListed = true;
      turns.add(strand);
    }
  }

  /** Unlists the queue if it is empty, and returns whether it is. */
  private boolean isDoneWith(Strand<R> strand) {
    strand.isListed = !strand.isEmpty();
    return !strand.isListed;
  }

  /** Removes the empty queues. */
  void forget() {
    // A retried request is by now in its queue again or on the device.
    if (!others.isEmpty()) {
      others.values().removeIf(strand -> !strand.isListed);
    }
  }

  /**
   * Removes all requests whose deadline has passed.
   *
   * @return whether a refused request is due for a retry
   */
  boolean expire(long nowNs, Consumer<R> late) {
    boolean isDue = false;
    for (Strand<R> strand : turns) {
      strand.expire(nowNs, late);
      isDue |= strand.isRefused() && nowNs - strand.nextTryNs() >= 0;
    }
    turns.removeIf(this::isDoneWith);
    return isDue;
  }

  /**
   * Passes requests to the taker, one per queue in turn and oldest first, until there is no room.
   */
  void handOn(long nowNs, Taker<R> taker) {
    int stuck = 0;
    while (stuck < turns.size()) {
      Strand<R> strand = turns.element();
      boolean wasRefused = strand.isRefused();
      Pending<R> next = strand.poll(nowNs);
      if (next != null && !taker.take(next.request(), next.sequence(), next.deadlineNs())) {
        strand.putBack(next, wasRefused);
        return;
      }
      stuck = next == null ? stuck + 1 : 0;
      turns.remove();
      if (!isDoneWith(strand)) {
        turns.add(strand);
      }
    }
  }

  /**
   * Plans turns for the next retry and the next deadline.
   *
   * @return whether a request only waits for room
   */
  boolean plan(NextTurn next) {
    boolean mayGo = false;
    for (Strand<R> strand : turns) {
      mayGo |= !strand.plan(next);
    }
    return mayGo;
  }

  /** Removes all requests. */
  void clear(Consumer<R> each) {
    common.clear(each);
    others.values().forEach(strand -> strand.clear(each));
  }
}
