package io.dpuactors.node;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of an engine that have something to do: a list of those that take their turn next, and
 * a heap of times. A node that has nothing to do is in neither, and costs nothing. Engine's thread.
 *
 * <pre>
 *   schedule --> list --run--> Node.turn --> in each turn:  list again
 *                 ^                     '--> at a time:     heap
 *                 '---- time passed ---------------------------'
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
   * Nothing to do.
   *
   * @param gone gets each node that is gone after its turn
   */
  Agenda(Consumer<Node> gone) {
    this.gone = gone;
  }

  /** The node takes its turn next. Idempotent; in the node's own turn: the one after that. */
  void schedule(Node node) {
    if (node == current) {
      wakesItself = true;
    } else if (!node.isListed) {
      list(node);
      woken++;
    }
  }

  private void list(Node node) {
    node.isListed = true;
    if (count == listed.length) {
      listed = Arrays.copyOf(listed, 2 * count);
    }
    listed[count++] = node;
  }

  /**
   * Lets all that are listed, or whose time has come, take their turn.
   *
   * @return how many moved on, or were scheduled meanwhile
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
    for (int i = 0; i < turns; i++) {
      moved += turn(turning[i], nowNs) ? 1 : 0;
    }
    Arrays.fill(turning, 0, turns, null);
    return moved + woken;
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

  /** Whether no node has anything to do, now or at a time. */
  boolean isEmpty() {
    return count == 0 && times.isEmpty();
  }

  /** Whether the time of a node has come. */
  boolean isDue(long nowNs) {
    return !times.isEmpty() && times.firstNs() - nowNs <= 0;
  }

  /** How much of a span of time passes before the time of a node comes. */
  long untilDue(long nowNs, long mostNs) {
    return times.isEmpty() ? mostNs : Math.min(mostNs, Math.max(0, times.firstNs() - nowNs));
  }
}
