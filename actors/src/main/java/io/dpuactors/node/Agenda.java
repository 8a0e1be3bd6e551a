package io.dpuactors.node;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of an engine that have work: a list of the nodes that run in the next turn, and a heap
 * of deadlines. A node without work is in neither and costs nothing. Engine's thread.
 *
 * <pre>
 *   schedule --> list --run--> Node.turn --> each turn:     list again
 *                 ^                     '--> at a deadline: heap
 *                 '---- deadline passed -----------------------'
 * </pre>
 */
final class Agenda {
  private final Consumer<Node> gone;
  private final NextTurn next = new NextTurn();
  private final DeadlineHeap times = new DeadlineHeap();
  private Node[] listed = new Node[16];
  private Node[] spare = new Node[16];
  private int count;
  private int woken;
  private @Nullable Node current;
  private boolean wakesItself;

  /**
   * Creates an empty agenda.
   *
   * @param gone accepts each node that is gone after its turn
   */
  Agenda(Consumer<Node> gone) {
    this.gone = gone;
  }

  /**
   * Schedules the node for the next turn. During the node's own turn, this is the turn after it.
   * Idempotent.
   */
  void schedule(Node node) {
    if (node == current) {
      wakesItself = true;
    } else if (!node.isListed) {
      list(node);
      woken++;
    }
  }

  private void list(Node node) {
    if (count == listed.length) {
      listed = Arrays.copyOf(listed, 2 * count);
    }
    listed[count++] = node;
    node.isListed = true;
  }

  /**
   * Runs all nodes that are listed or whose deadline has passed.
   *
   * @return number of nodes that changed state or were scheduled during the run
   */
  int run(long nowNs) {
    for (Node due = times.poll(nowNs); due != null; due = times.poll(nowNs)) {
      schedule(due);
    }
    Node[] turning = listed;
    int turns = count;
    listed = spare;
    spare = turning;
    count = 0;
    woken = 0;
    int moved = 0;
    int ran = 0;
    try {
      for (; ran < turns; ran++) {
        moved += turn(turning[ran], nowNs) ? 1 : 0;
      }
    } finally {
      current = null;
      listAgain(turning, ran, turns);
      Arrays.fill(turning, 0, turns, null);
    }
    return moved + woken;
  }

  /** Lists the nodes that an Error has left without a turn, and the node that threw it as last. */
  private void listAgain(Node[] turning, int failed, int turns) {
    for (int i = failed + 1; i < turns; i++) {
      list(turning[i]);
    }
    if (failed < turns) {
      schedule(turning[failed]);
    }
  }

  private boolean turn(Node node, long nowNs) {
    node.isListed = false;
    next.clear(nowNs);
    current = node;
    wakesItself = false;
    boolean moved = node.turn(nowNs, next);
    current = null;
    if (node.isGone()) {
      times.remove(node);
      gone.accept(node);
      return true;
    }
    if (next.isInEach() || wakesItself) {
      list(node);
    }
    if (next.hasTime()) {
      times.put(node, next.timeNs());
    } else {
      times.remove(node);
    }
    return moved;
  }

  /** Returns whether no node has work, now or at a deadline. */
  boolean isEmpty() {
    return count == 0 && times.isEmpty();
  }

  /** Returns whether the deadline of a node has passed. */
  boolean isDue(long nowNs) {
    return !times.isEmpty() && times.firstNs() - nowNs <= 0;
  }

  /** Returns the time until the earliest deadline, at most {@code mostNs}. */
  long untilDue(long nowNs, long mostNs) {
    return times.isEmpty() ? mostNs : Math.min(mostNs, Math.max(0, times.firstNs() - nowNs));
  }
}
