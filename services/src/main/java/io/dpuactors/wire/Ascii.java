package io.dpuactors.wire;

import java.nio.charset.StandardCharsets;

/** Text in messages: ASCII, with or without the NUL that ends strings in C. */
final class Ascii {
  private static final int QUOTED_BYTES = 32;

  private Ascii() {}

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns the number of bytes of text: all bytes except one NUL at the end. */
  static int length(byte[] message) {
    return message.length > 0 && message[message.length - 1] == 0
        ? message.length - 1
        : message.length;
  }

  /** Returns the beginning of any message in a printable form, for errors. */
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
