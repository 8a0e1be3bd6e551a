package io.dpuactors.apps.cli;

import io.dpuactors.bridge.internal.Terminals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** State of the terminal. */
public final class Terminal {
  private static final int DEFAULT_COLUMNS = 80;

  private Terminal() {}

  /** Returns whether stderr, the output for progress, is a terminal that can move its cursor. */
  public static boolean showsProgress() {
    String term = System.getenv("TERM");
    return term != null && !term.equals("dumb") && isTerminal(2);
  }

  /** Returns the current width of stderr's terminal in characters; 80 if unknown. */
  public static int columns() {
    return Terminals.columns(2).orElse(DEFAULT_COLUMNS);
  }

  /**
   * Returns whether a file descriptor is a terminal. The JDK reports only stdin and stdout
   * together; /proc reports each descriptor.
   */
  public static boolean isTerminal(int descriptor) {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
      return target.startsWith("/dev/pts/")
          || target.startsWith("/dev/tty")
          || target.equals("/dev/console");
    } catch (IOException e) {
      return false;
    }
  }
}
