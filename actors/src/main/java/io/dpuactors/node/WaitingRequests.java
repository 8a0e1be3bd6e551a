package io.dpuactors.node;

import io.dpuactors.node.Strand.Pending;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The requests of a {@link TaskLane} that wait on this side of the bridge: a strand for each order,
 * and turns among those in which something waits. Engine's thread.
 *
 * @param <R> the requests
 */
final class WaitingRequests<R> {
  /** Where what waits goes. */
  interface Taker<R> {
    /** Takes a request; false: no room at the moment. */
    boolean take(R request, long sequence, long deadlineNs);
  }

  private final LaneSettings settings;
  private final Requests<R> requests;

  /** Where requests wait that have no order of their own, and those that have, by order. */
  private final Strand<R> common;

  private final Map<Integer, Strand<R>> others = new HashMap<>();

  /** The strands in which something waits; whose turn it is comes first. */
  private final Deque<Strand<R>> turns = new ArrayDeque<>();

  WaitingRequests(LaneSettings settings, Requests<R> requests) {
    this.settings = settings;
    this.requests = requests;
    this.common = new Strand<>(settings);
  }

  /** Whether nothing waits; what {@link #clear} took out counts until the next look at it. */
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

  /** Whether nothing waits that this request must not overtake. */
  boolean isFree(R request) {
    return turns.isEmpty() || (requests.order(request) != 0 && strand(request).isEmpty());
  }

  /** Comes last of its order. */
  void add(Pending<R> pending) {
    Strand<R> strand = strand(pending.request());
    strand.add(pending);
    list(strand);
  }

  /** DOCA has refused it for the moment: it comes back to where it was. */
  void refuse(Pending<R> pending) {
    Strand<R> strand = strand(pending.request());
    strand.refuse(pending);
    list(strand);
  }

  /** DOCA takes requests of this order again. */
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

  /** Nothing waits in it any more: what comes next need not wait behind it. */
  private boolean isDoneWith(Strand<R> strand) {
    strand.isListed = !strand.isEmpty();
    return !strand.isListed;
  }

  /** Forgets the orders of which nothing waits. */
  void forget() {
    // What was tried again is either back by now, or in the hands of the device.
    if (!others.isEmpty()) {
      others.values().removeIf(strand -> !strand.isListed);
    }
  }

  /**
   * Takes out all whose deadline has passed.
   *
   * @return whether something that was refused is to be tried again now
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

  /** Hands on what may go now, strand by strand, oldest first, until there is no room. */
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
   * Says when something is to be tried again, or passes its deadline.
   *
   * @return whether something waits that could go now, if there were room
   */
  boolean plan(NextTurn next) {
    boolean mayGo = false;
    for (Strand<R> strand : turns) {
      mayGo |= !strand.plan(next);
    }
    return mayGo;
  }

  /** Takes out all. */
  void clear(Consumer<R> each) {
    common.clear(each);
    others.values().forEach(strand -> strand.clear(each));
  }
}
