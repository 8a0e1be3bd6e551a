package io.dpuactors.protocol;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/** Bounded text of the bytes in a message, for logs. */
final class BytesText {
  /** Number of shown bytes. */
  private static final int LIMIT = 32;

  private BytesText() {}

  /**
   * Returns the size and the first 32 bytes: quoted if all of them are printable ASCII, else in
   * hexadecimal.
   */
  static String of(byte[] bytes) {
    byte[] shown = Arrays.copyOf(bytes, Math.min(bytes.length, LIMIT));
    String text = new String(shown, StandardCharsets.ISO_8859_1);
    return bytes.length
        + " bytes "
        + (text.chars().allMatch(c -> c >= ' ' && c <= '~')
            ? '"' + text + '"'
            : HexFormat.of().formatHex(shown))
        + (bytes.length > LIMIT ? "..." : "");
  }
}
