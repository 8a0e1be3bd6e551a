package io.dpuactors.protocol;

/** Credit of subscribers: the number of messages that a connection may deliver. */
final class Credit {
  private Credit() {}

  /**
   * Checks a number of messages. Any thread.
   *
   * @throws IllegalArgumentException if it is below 1
   */
  static void require(int credit) {
    if (credit < 1) {
      throw new IllegalArgumentException("credit is " + credit + "; it must be at least 1");
    }
  }
}
