package io.dpuactors.apps;

import io.dpuactors.bridge.Terminals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether somebody is looking. */
public final class Terminal {
  private static final int DEFAULT_COLUMNS = 80;

  private Terminal() {}

  /** Whether stderr, where progress is shown, is a terminal that can move its cursor. */
  public static boolean showsProgress() {
    String term = System.getenv("TERM");
    return term != null && !term.equals("dumb") && isTerminal(2);
  }

  /** Characters on a line of stderr's terminal, as its window is now; 80 if it does not say. */
  public static int columns() {
    return Terminals.columns(2).orElse(DEFAULT_COLUMNS);
  }

  /** The JDK tells it of stdin and stdout together only; Linux tells what each descriptor is. */
  static boolean isTerminal(int descriptor) {
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
