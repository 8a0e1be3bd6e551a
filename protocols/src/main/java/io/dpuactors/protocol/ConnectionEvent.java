package io.dpuactors.protocol;

import io.dpuactors.bridge.DocaError;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** An event of a connection. The subscriber receives events in the order in which they happened. */
public sealed interface ConnectionEvent extends LocalMessage {
  /**
   * A complete message of the peer.
   *
   * @param bytes owned by the receiver
   */
  @SuppressWarnings("ArrayRecordComponent") // a message is compared by no code
  record Message(byte[] bytes) implements ConnectionEvent {
    /** Returns the bytes as UTF-8 text. Bytes that are no UTF-8 become U+FFFD. */
    public String text() {
      return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Returns the size and at most 32 bytes. */
    @Override
    public String toString() {
      return "Message[" + BytesText.of(bytes) + "]";
    }
  }

  /**
   * The peer has a new consumer; producers of this connection can send to it.
   *
   * @param consumer id, unique on the connection, never 0
   */
  record ConsumerJoined(int consumer) implements ConnectionEvent {}

  /** A consumer of the peer has ended. */
  record ConsumerLeft(int consumer) implements ConnectionEvent {}

  /**
   * The connection has ended; the last event.
   *
   * @param error the cause; empty if this side closed the connection
   */
  record Closed(Optional<DocaError> error) implements ConnectionEvent {}
}
