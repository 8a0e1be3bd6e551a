package io.dpuactors.bridge;

/**
 * The 64 bits that travel with a task and come back with its record: which slot, and which use of
 * that slot, so that a late completion for something that is gone is told from one for its
 * successor.
 *
 * <pre>
 *   63            32 31             0
 *  +----------------+----------------+
 *  |   generation   |      slot      |
 *  +----------------+----------------+
 * </pre>
 *
 * <p>Every pair of ints is preserved, negative ones included.
 */
public final class UserData {
  private static final long SLOT_MASK = 0xffff_ffffL;

  private UserData() {}

  /** Both in one. */
  public static long pack(int slot, int generation) {
    return (long) generation << Integer.SIZE | (slot & SLOT_MASK);
  }

  /** The slot that {@link #pack} was given. */
  public static int slot(long userData) {
    return (int) userData;
  }

  /** The generation that {@link #pack} was given. */
  public static int generation(long userData) {
    return (int) (userData >>> Integer.SIZE);
  }
}
