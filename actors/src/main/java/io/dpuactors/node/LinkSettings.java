package io.dpuactors.node;

import io.dpuactors.protocol.MessageFraming;
import java.util.Optional;

/**
 * Settings of a connection.
 *
 * @param lane settings of outgoing messages
 * @param receiveQueue received messages that may wait
 * @param framing enables payloads larger than a message; empty: none
 * @param times drain: for messages in flight and received messages that wait; stop: for the
 *     disconnect
 */
public record LinkSettings(
    LaneSettings lane, int receiveQueue, Optional<MessageFraming> framing, ContextTimes times) {

  /** Checks the range. */
  public LinkSettings {
    if (receiveQueue < 1) {
      throw new IllegalArgumentException(
          "receive-queue is " + receiveQueue + "; it must be at least 1");
    }
  }
}
