package io.dpuactors.bridge;

/**
 * Pages of a memory map.
 *
 * @param kind of the pages
 * @param pageBytes size of a page; for {@link Kind#ADVISED}, the size that the kernel attempts
 * @param reason why requested huge pages are not reserved ones; otherwise empty
 */
public record Pages(Kind kind, long pageBytes, String reason) {
  /** Kinds of pages. */
  public enum Kind {
    /** The machine's ordinary pages. */
    ORDINARY,
    /** The kernel was asked for transparent huge pages and provides those available. */
    ADVISED,
    /** Huge pages that the machine's administrator has reserved. */
    RESERVED,
    /** Memory of another process or of the program. */
    FOREIGN
  }
}
