package io.dpuactors.protocol.wire;

import java.util.Arrays;

/**
 * The texts of the ping service: whoever sends {@code ping} gets {@code pong}. A ping may be longer
 * than the word; what follows it comes back behind the pong, so that round trips of any size can be
 * measured.
 */
public final class PingPong {
  /** The name that the service is found by. */
  public static final String SERVICE = "shoc-test";

  /** The shortest ping: the word alone. */
  public static final int MIN_BYTES = 4;

  private static final byte[] PING = {'p', 'i', 'n', 'g'};
  private static final byte[] PONG = {'p', 'o', 'n', 'g'};
  private static final byte FILLER = '.';

  private PingPong() {}

  /**
   * A ping of a certain size.
   *
   * @throws IllegalArgumentException when the word does not fit
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
   * The answer to a ping, as long as the ping.
   *
   * @throws WireException when it is no ping
   */
  public static byte[] pong(byte[] ping) throws WireException {
    require(PING, ping);
    byte[] answer = ping.clone();
    System.arraycopy(PONG, 0, answer, 0, MIN_BYTES);
    return answer;
  }

  /**
   * Checks an answer: the ping's echo, or from peers that know no longer pings, the word alone.
   *
   * @throws WireException when it is neither
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
