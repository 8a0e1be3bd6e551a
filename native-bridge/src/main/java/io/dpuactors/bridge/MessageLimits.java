package io.dpuactors.bridge;

/**
 * What a server or client agrees to hold for the messages of a connection.
 *
 * @param maxMessageBytes longest message, more than 0; of the two sides' the smaller one counts
 * @param recvQueue messages that can wait to be received, more than 0
 */
public record MessageLimits(int maxMessageBytes, int recvQueue) {
  /**
   * Checks both.
   *
   * @throws IllegalArgumentException when one is not positive
   */
  public MessageLimits {
    if (maxMessageBytes <= 0 || recvQueue <= 0) {
      throw new IllegalArgumentException(
          "messages of " + maxMessageBytes + " bytes, " + recvQueue + " waiting");
    }
  }
}
