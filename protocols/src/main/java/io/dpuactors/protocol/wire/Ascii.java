package io.dpuactors.protocol.wire;

import java.nio.charset.StandardCharsets;

/** Text in messages: ASCII, with or without the NUL that ends strings in C. */
final class Ascii {
  private static final int QUOTED_BYTES = 32;

  private Ascii() {}

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** How many bytes are text: all but one NUL at the end. */
  static int length(byte[] message) {
    return message.length > 0 && message[message.length - 1] == 0
        ? message.length - 1
        : message.length;
  }

  /** The beginning of a message as people can read it in an error, whatever it holds. */
  static String quote(byte[] message) {
    StringBuilder text = new StringBuilder("\"");
    for (int i = 0; i < Math.min(message.length, QUOTED_BYTES); i++) {
      byte b = message[i];
      if (b >= ' ' && b < 0x7f && b != '"' && b != '\\') {
        text.append((char) b);
      } else {
        text.append("\\x%02x".formatted(b));
      }
    }
    text.append('"');
    return message.length > QUOTED_BYTES
        ? text + "... (" + message.length + " bytes)"
        : text.toString();
  }
}
