package io.dpuactors.protocol;

/**
 * Payloads larger than a message. The sender cuts them into messages, the receiver reassembles
 * them. Both sides must use framing.
 *
 * @param maxPayloadBytes largest payload to send and to accept; a peer that sends more loses its
 *     connection
 */
public record MessageFraming(int maxPayloadBytes) {
  /** Checks the range. */
  public MessageFraming {
    if (maxPayloadBytes < 1) {
      throw new IllegalArgumentException(
          "maxPayloadBytes is " + maxPayloadBytes + "; it must be at least 1");
    }
  }
}
