package io.dpuactors.bridge;

import java.util.ArrayList;
import java.util.List;

/**
 * The leases behind a head, each with its lease number: a lease may end without the head, and its
 * buffer be leased again. The program appends on any thread. The engine's thread builds DOCA's list
 * when a context borrows the head, and unlinks it when the last loan ends.
 */
final class BufferChain {
  private record Link(Buffer buffer, long number) {}

  private final Buffer head;
  private final List<Link> links = new ArrayList<>();

  BufferChain(Buffer head) {
    this.head = head;
  }

  void append(Buffer buffer, long number) {
    links.add(new Link(buffer, number));
  }

  int size() {
    return links.size();
  }

  /** Includes a lease that has ended without the head: {@link #lend} refuses the chain then. */
  long length() {
    return links.stream().mapToLong(link -> link.buffer().lengthInChain()).sum();
  }

  long capacity() {
    return links.stream().mapToLong(link -> link.buffer().capacity()).sum();
  }

  /** Returns the buffers behind the head, in order. */
  List<Buffer> buffers() {
    return links.stream().map(Link::buffer).toList();
  }

  /** Ends the leases behind the head. */
  void release() {
    for (Link link : links) {
      link.buffer().returnToPoolIf(link.buffer().state().endIf(link.number()));
    }
  }

  /** Releases the leases behind the head when no task has them any more. */
  void releaseAfterTasks() {
    for (Link link : links) {
      link.buffer().returnToPoolIf(link.buffer().state().releaseAfterTasksIf(link.number()));
    }
  }

  /**
   * Lends the buffers behind a lent head. Returns false, without lending any, if one is not leased.
   */
  boolean lend() {
    for (int i = 0; i < links.size(); i++) {
      Link link = links.get(i);
      if (!link.buffer().lendIf(link.number())) {
        returnLoan(i);
        return false;
      }
    }
    if (head.state().isLentOnce()) {
      link();
    }
    return true;
  }

  void checkThread(String operation) {
    memory(head).checkThread(operation);
  }

  /** Undoes one {@link #lend}, before that of the head. */
  void returnLoan() {
    checkThread("returnLoan");
    if (head.state().isLentOnce()) {
      unlink(links.size());
      wholeWindows();
    }
    returnLoan(links.size());
  }

  private void returnLoan(int count) {
    for (Link link : links.subList(0, count)) {
      link.buffer().returnSingle();
    }
  }

  private void link() {
    int linked = 0;
    try {
      head.exactWindow(true);
      for (Link link : links) {
        Buffer each = link.buffer();
        each.exactWindow(true);
        memory(head).chain(head.pointer(), each.pointer(), each + " behind " + head);
        linked++;
      }
    } catch (DocaException e) {
      int count = linked;
      undo(e, () -> unlink(count));
      undo(e, this::wholeWindows);
      returnLoan(links.size());
      throw e;
    }
  }

  private static void undo(DocaException failure, Runnable step) {
    try {
      step.run();
    } catch (DocaException e) {
      failure.addSuppressed(e);
    }
  }

  /** Cuts the first link of the rest, once per buffer. */
  private void unlink(int count) {
    Buffer before = head;
    for (Link link : links.subList(0, count)) {
      Buffer each = link.buffer();
      memory(head).unchain(before.pointer(), each.pointer(), each + " behind " + head);
      before = each;
    }
  }

  private void wholeWindows() {
    head.exactWindow(false);
    for (Link link : links) {
      link.buffer().exactWindow(false);
    }
  }

  /** Sets the content of the buffers behind the head in DOCA; the bridge sets that of the head. */
  void fill(boolean asSource) {
    for (Link link : links) {
      Buffer each = link.buffer();
      long bytes = asSource ? each.length() : 0;
      memory(each).content(each.pointer(), each.address(), bytes, each.toString());
    }
  }

  /** Reads from DOCA how much of each buffer behind the head was written. */
  void written() {
    for (Link link : links) {
      Buffer each = link.buffer();
      each.setWritten(memory(each).contentBytes(each.pointer(), each.toString()));
    }
  }

  private static PoolMemory memory(Buffer buffer) {
    return buffer.pool().memory();
  }

  /** Takes the chain apart; every buffer stays leased. */
  void unchain() {
    for (Link link : links) {
      link.buffer().leaveChain(link.number());
    }
  }
}
