package io.dpuactors.benchmarks.soak;

import io.dpuactors.benchmarks.soak.Answer.Outcome;
import io.dpuactors.bridge.Buffer;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What the requests of one connection must find in its region. The device executes them in their
 * order. The result of a failed request is unknown. Thread: any.
 */
final class RdmaModel {
  private enum Region {
    NEW,
    CLEARING,
    CLEAR
  }

  private final GrowingNumber added = new GrowingNumber();
  private Region region = Region.NEW;
  private int messages;
  private int writes;

  /** Number of writes that may have had no effect. */
  private int missedWrites;

  private long swaps;
  private boolean isSwapping;

  /** Returns whether the region must be filled with zeros, and notes that this begins. */
  synchronized boolean beginsToClear() {
    boolean begins = region == Region.NEW;
    if (begins) {
      region = Region.CLEARING;
    }
    return begins;
  }

  /** Accepts the answer to the write of zeros. */
  synchronized boolean cleared(Answer answer) {
    region = answer.isCompleted() ? Region.CLEAR : Region.NEW;
    return true;
  }

  /** Returns whether requests can follow. */
  synchronized boolean isClear() {
    return region == Region.CLEAR;
  }

  /** Returns the number of the next message or write with immediate data. */
  synchronized int nextMessage() {
    return ++messages;
  }

  /** Returns the number of the next write. */
  synchronized int nextWrite() {
    return ++writes;
  }

  /** Accepts the answer to a write. */
  synchronized boolean written(Answer answer) {
    missedWrites += answer.isCompleted() ? 0 : 1;
    return true;
  }

  /** Returns the check of a read that is sent now. */
  synchronized Ledger.Check reading() {
    int last = writes;
    return answer -> isRead(answer, last);
  }

  /** A read finds the last write before it, or an earlier one if writes had no effect. */
  private synchronized boolean isRead(Answer answer, int last) {
    Buffer dst = result(answer);
    if (dst == null) {
      return true;
    }
    ByteBuffer content = SoakBuffers.content(dst);
    if (content.limit() != RdmaRegion.WRITTEN_BYTES || !RdmaRegion.isIntact(content)) {
      return false;
    }
    long found = content.getLong(0);
    return last - missedWrites <= found && found <= last;
  }

  /** Returns the check of an addition that is sent now. */
  Ledger.Check adding() {
    long ordinal = added.request();
    return answer -> {
      Buffer dst = result(answer);
      return dst == null || added.isRight(ordinal, dst.bytes().getLong(0));
    };
  }

  /** Returns whether no exchange is in flight or failed, and notes that one begins. */
  synchronized boolean beginsToSwap() {
    boolean begins = !isSwapping;
    isSwapping = true;
    return begins;
  }

  /** Returns the number that an exchange must find, and replaces by the next one. */
  synchronized long swaps() {
    return swaps;
  }

  /** Checks the answer to an exchange. After a failed one, the number is unknown. */
  synchronized boolean swapped(Answer answer) {
    Buffer dst = result(answer);
    isSwapping = dst == null && answer.outcome() != Outcome.BUSY;
    return dst == null || dst.bytes().getLong(0) == swaps++;
  }

  /** Returns the buffer that a completed request has read into; null for another answer. */
  private static @Nullable Buffer result(Answer answer) {
    return answer.isCompleted() ? answer.dst() : null;
  }
}
