package io.dpuactors.apps.cli;

/** Texts for terminals. Names of files may contain line feeds and codes that control a terminal. */
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
