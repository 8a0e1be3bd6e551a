package io.dpuactors.bridge.jna;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import java.util.OptionalInt;

/** The size of a terminal's window ({@code ioctl_tty(2)}). Thread: any. */
public final class TerminalWindow {
  // The same number on Linux for x86-64 and aarch64.
  private static final long TIOCGWINSZ = 0x5413;
  private static final int COLUMNS = 1; // struct winsize: rows, columns, width, height

  static {
    Native.register(TerminalWindow.class, NativeLibrary.getProcess());
  }

  private TerminalWindow() {}

  /**
   * Returns the number of characters on a line of the terminal behind a descriptor.
   *
   * @return empty if the descriptor is not a terminal, or its size is not known
   */
  public static OptionalInt columns(int descriptor) {
    short[] window = new short[4];
    int columns =
        ioctl(descriptor, TIOCGWINSZ, window) == 0 ? Short.toUnsignedInt(window[COLUMNS]) : 0;
    return columns > 0 ? OptionalInt.of(columns) : OptionalInt.empty();
  }

  private static native int ioctl(int descriptor, long request, short[] window);
}
