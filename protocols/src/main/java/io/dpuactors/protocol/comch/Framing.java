package io.dpuactors.protocol.comch;

/**
 * Payloads larger than a message: cut into messages by the sender, put together by the receiver.
 * Both sides must have it.
 *
 * @param maxPayloadBytes the largest payload that is sent, and that is put together for the peer; a
 *     peer that sends more loses its connection
 */
public record Framing(int maxPayloadBytes) {
  /** Checks the range. */
  public Framing {
    if (maxPayloadBytes < 1) {
      throw new IllegalArgumentException(
          "maxPayloadBytes is " + maxPayloadBytes + "; it must be at least 1");
    }
  }
}
