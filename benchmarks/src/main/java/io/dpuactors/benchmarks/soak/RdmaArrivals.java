package io.dpuactors.benchmarks.soak;

import io.dpuactors.protocol.RdmaConnectionProtocol.Event;
import io.dpuactors.protocol.RdmaConnectionProtocol.Message;
import io.dpuactors.protocol.RdmaConnectionProtocol.Written;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The messages and writes that arrive on one connection, in their order. Engine's thread. */
final class RdmaArrivals {
  private int last;

  /**
   * Checks an event. Each own message or write has a larger number than those before.
   *
   * @return false if it has other data or another order; true for clients of other processes
   */
  boolean isRight(Event event) {
    if (event instanceof Written written) {
      return written.length() == RdmaRegion.WRITTEN_BYTES && isNext(written.immediate());
    }
    if (!(event instanceof Message message) || !isOwn(message)) {
      return true;
    }
    int immediate = message.immediate().getAsInt();
    return isContent(message.bytes(), RdmaRegion.number(immediate)) && isNext(immediate);
  }

  /** Returns whether a message comes from a client of this process. */
  static boolean isOwn(Message message) {
    return message.immediate().isPresent() && RdmaRegion.isOwn(message.immediate().getAsInt());
  }

  /** A message that returns has no bytes. */
  private static boolean isContent(byte[] bytes, int number) {
    ByteBuffer content = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    return bytes.length == 0 || (content.getLong(0) == number && RdmaRegion.isIntact(content));
  }

  private boolean isNext(int immediate) {
    int number = RdmaRegion.number(immediate);
    boolean isNext = RdmaRegion.isOwn(immediate) && number > last;
    last = number;
    return isNext;
  }
}
