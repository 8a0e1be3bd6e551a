package io.dpuactors.apps;

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

  /** How many characters fit on a line: what COLUMNS says, else 80. */
  public static int columns() {
    try {
      String columns = System.getenv("COLUMNS");
      return columns == null ? DEFAULT_COLUMNS : Math.max(40, Integer.parseInt(columns));
    } catch (NumberFormatException e) {
      return DEFAULT_COLUMNS;
    }
  }

  /** The JDK tells it of stdin and stdout together only; Linux tells what each descriptor is. */
  private static boolean isTerminal(int descriptor) {
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
