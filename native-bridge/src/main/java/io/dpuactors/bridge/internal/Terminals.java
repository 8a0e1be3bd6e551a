package io.dpuactors.bridge.internal;

import io.dpuactors.bridge.jna.TerminalWindow;
import java.util.OptionalInt;

/** Terminals of this process. Thread: any. */
public final class Terminals {
  private Terminals() {}

  /**
   * Returns the current number of characters on a line of the terminal behind a descriptor.
   *
   * @param descriptor 0 for standard input, 1 for standard output, 2 for standard error
   * @return empty if the descriptor is not a terminal, or its size is not known
   */
  public static OptionalInt columns(int descriptor) {
    return TerminalWindow.columns(descriptor);
  }
}
