package io.dpuactors.bridge;

/**
 * What memory came to lie on.
 *
 * @param kind of its pages
 * @param pageBytes size of one; of {@link Kind#ADVISED} pages what the kernel tries for
 * @param reason why huge pages were asked for and are not reserved ones; empty when that did not
 *     happen
 */
public record Pages(Kind kind, long pageBytes, String reason) {
  /** Kinds of pages. */
  public enum Kind {
    /** The machine's ordinary pages. */
    ORDINARY,
    /** The kernel was asked for transparent huge pages, and gives them as it has some. */
    ADVISED,
    /** Huge pages that the machine's owner had reserved. */
    RESERVED,
    /** Another process's, or the program's own. */
    FOREIGN
  }
}
