package io.dpuactors.protocol.comch;

import io.dpuactors.bridge.DocaError;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** What a connection tells whoever serves it, in the order in which it happened. */
public sealed interface ConnectionEvent {
  /**
   * A whole message of the peer.
   *
   * @param bytes the receiver's own
   */
  @SuppressWarnings("ArrayRecordComponent") // A message is its bytes; nobody compares messages.
  record Message(byte[] bytes) implements ConnectionEvent {
    /** The bytes as ASCII text. */
    public String text() {
      return new String(bytes, StandardCharsets.US_ASCII);
    }
  }

  /**
   * The peer has a consumer: producers of this connection can send to it.
   *
   * @param consumer its id, unique on the connection, never 0
   */
  record ConsumerJoined(int consumer) implements ConnectionEvent {}

  /** That consumer of the peer is gone. */
  record ConsumerLeft(int consumer) implements ConnectionEvent {}

  /**
   * The connection is over; the last event.
   *
   * @param error why; empty when this side asked for it
   */
  record Closed(Optional<DocaError> error) implements ConnectionEvent {}
}
