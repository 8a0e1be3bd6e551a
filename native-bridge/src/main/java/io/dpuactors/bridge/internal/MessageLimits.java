package io.dpuactors.bridge.internal;

/**
 * Limits of a server or client for the messages of a connection.
 *
 * @param maxMessageBytes longest message, more than 0; the smaller value of both sides applies
 * @param recvQueue messages that can wait to be received, more than 0
 */
public record MessageLimits(int maxMessageBytes, int recvQueue) {
  /**
   * Checks both limits.
   *
   * @throws IllegalArgumentException for a limit that is not positive
   */
  public MessageLimits {
    if (maxMessageBytes <= 0 || recvQueue <= 0) {
      throw new IllegalArgumentException(
          "messages of " + maxMessageBytes + " bytes, " + recvQueue + " waiting");
    }
  }
}
