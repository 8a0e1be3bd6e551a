package io.dpuactors.wire;

/**
 * Texts for terminals and logs. Texts of peers and names of files may contain control characters.
 */
public final class OneLine {
  private OneLine() {}

  /** Returns a text with a question mark in place of each control character. */
  public static String of(Object text) {
    return String.valueOf(text)
        .codePoints()
        .map(point -> Character.isISOControl(point) ? '?' : point)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }
}
