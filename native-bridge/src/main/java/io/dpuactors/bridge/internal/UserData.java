package io.dpuactors.bridge.internal;

/**
 * The 64 bits that a task carries to its record: a slot and the generation of its use. The
 * generation separates a late completion of an earlier use from the current one.
 *
 * <pre>
 *   63            32 31             0
 *  +----------------+----------------+
 *  |   generation   |      slot      |
 *  +----------------+----------------+
 * </pre>
 *
 * <p>Every pair of ints is preserved, including negative ones.
 */
public final class UserData {
  private static final long SLOT_MASK = 0xffff_ffffL;

  private UserData() {}

  /** Packs slot and generation. */
  public static long pack(int slot, int generation) {
    return (long) generation << Integer.SIZE | (slot & SLOT_MASK);
  }

  /** Returns the slot. */
  public static int slot(long userData) {
    return (int) userData;
  }

  /** Returns the generation. */
  public static int generation(long userData) {
    return (int) (userData >>> Integer.SIZE);
  }
}
