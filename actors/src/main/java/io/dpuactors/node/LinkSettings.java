package io.dpuactors.node;

import io.dpuactors.protocol.comch.Framing;
import java.util.Optional;

/**
 * How a connection treats messages.
 *
 * @param lane of outgoing messages
 * @param receiveQueue received messages that may wait
 * @param framing payloads larger than a message; empty: none
 * @param times drain: for messages in flight and those nobody has taken; stop: for the disconnect
 */
public record LinkSettings(
    LaneSettings lane, int receiveQueue, Optional<Framing> framing, ContextTimes times) {

  /** Checks the range. */
  public LinkSettings {
    if (receiveQueue < 1) {
      throw new IllegalArgumentException(
          "receive-queue is " + receiveQueue + "; it must be at least 1");
    }
  }
}
