package io.dpuactors.wire;

import java.util.Arrays;

/**
 * Texts of the ping service: {@code pong} answers {@code ping}. A ping may have more bytes than the
 * word. The answer repeats them after the pong, so that round trips of any size can be measured.
 */
public final class PingPong {
  /** Name of the service. */
  public static final String SERVICE = "shoc-test";

  /** The shortest ping: the word alone. */
  public static final int MIN_BYTES = 4;

  private static final byte[] PING = {'p', 'i', 'n', 'g'};
  private static final byte[] PONG = {'p', 'o', 'n', 'g'};
  private static final byte FILLER = '.';

  private PingPong() {}

  /**
   * Returns a ping of a given size.
   *
   * @throws IllegalArgumentException if the word does not fit
   */
  public static byte[] ping(int bytes) {
    if (bytes < MIN_BYTES) {
      throw new IllegalArgumentException(
          "a ping has at least %d bytes, not %d".formatted(MIN_BYTES, bytes));
    }
    byte[] message = new byte[bytes];
    Arrays.fill(message, FILLER);
    System.arraycopy(PING, 0, message, 0, MIN_BYTES);
    return message;
  }

  /**
   * Returns the answer to a ping, which has the same size.
   *
   * @throws WireException if the message is no ping
   */
  public static byte[] pong(byte[] ping) throws WireException {
    require(PING, ping);
    byte[] answer = ping.clone();
    System.arraycopy(PONG, 0, answer, 0, MIN_BYTES);
    return answer;
  }

  /**
   * Checks an answer: the echo of the ping, or the word alone from peers that do not support longer
   * pings.
   *
   * @throws WireException for any other answer
   */
  public static void checkPong(byte[] ping, byte[] answer) throws WireException {
    require(PONG, answer);
    boolean wordAlone = Ascii.length(answer) == MIN_BYTES;
    if (!wordAlone
        && !Arrays.equals(answer, MIN_BYTES, answer.length, ping, MIN_BYTES, ping.length)) {
      throw new WireException("the pong is not the ping's echo: %s".formatted(Ascii.quote(answer)));
    }
  }

  private static void require(byte[] word, byte[] message) throws WireException {
    if (message.length < MIN_BYTES || !Arrays.equals(message, 0, MIN_BYTES, word, 0, MIN_BYTES)) {
      throw new WireException(
          "%s was expected, but %s came".formatted(Ascii.quote(word), Ascii.quote(message)));
    }
  }
}
