package io.dpuactors.node;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Nodes by the time of their next turn: a binary heap, in which each node stores its index.
 * Engine's thread.
 */
final class DeadlineHeap {
  private Node[] heap = new Node[16];
  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  /** Returns the earliest time. The heap must not be empty. */
  long firstNs() {
    return heap[0].dueNs;
  }

  /** Removes and returns the first node if its time has passed; otherwise returns null. */
  @Nullable Node poll(long nowNs) {
    if (size == 0 || heap[0].dueNs - nowNs > 0) {
      return null;
    }
    Node first = heap[0];
    remove(first);
    return first;
  }

  /** Inserts a node or changes its time. */
  void put(Node node, long timeNs) {
    if (node.heapIndex < 0) {
      if (size == heap.length) {
        heap = Arrays.copyOf(heap, 2 * size);
      }
      node.dueNs = timeNs;
      place(node, size++);
    } else if (node.dueNs == timeNs) {
      return;
    }
    node.dueNs = timeNs;
    settle(node);
  }

  /** Removes a node. Does nothing if the heap does not contain it. */
  void remove(Node node) {
    int index = node.heapIndex;
    if (index < 0) {
      return;
    }
    node.heapIndex = -1;
    Node last = heap[--size];
    heap[size] = null;
    if (last != node) {
      place(last, index);
      settle(last);
    }
  }

  private void settle(Node node) {
    rise(node);
    sink(node);
  }

  private void rise(Node node) {
    int index = node.heapIndex;
    while (index > 0 && isBefore(node, heap[(index - 1) / 2])) {
      place(heap[(index - 1) / 2], index);
      index = (index - 1) / 2;
    }
    place(node, index);
  }

  private void sink(Node node) {
    int index = node.heapIndex;
    for (int child = 2 * index + 1; child < size; child = 2 * index + 1) {
      if (child + 1 < size && isBefore(heap[child + 1], heap[child])) {
        child++;
      }
      if (!isBefore(heap[child], node)) {
        break;
      }
      place(heap[child], index);
      index = child;
    }
    place(node, index);
  }

  private void place(Node node, int index) {
    heap[index] = node;
    node.heapIndex = index;
  }

  /** Compares the difference, because clock readings can overflow. */
  private static boolean isBefore(Node one, Node other) {
    return one.dueNs - other.dueNs < 0;
  }
}
