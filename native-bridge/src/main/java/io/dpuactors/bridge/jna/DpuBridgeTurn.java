package io.dpuactors.bridge.jna;

/**
 * The one function of libdpubridge that every turn of a loop calls, as a native method that the JVM
 * binds by itself. With JNA in between, most of what an empty turn costs would be the call.
 * Everything else is in {@link DpuBridge}.
 *
 * <p>Thread: the engine's. Usable once {@link #load} returned.
 */
public final class DpuBridgeTurn {
  private DpuBridgeTurn() {}

  /**
   * Binds this class to the library in a file. Binding it again is harmless.
   *
   * @param path absolute path of the library that {@link DpuBridge} is bound to
   * @throws UnsatisfiedLinkError when it cannot be loaded
   */
  static void load(String path) {
    System.load(path);
  }

  /** {@code dpubridge_enter}. */
  public static native int enter(long bridge, int budget);
}
