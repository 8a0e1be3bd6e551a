package io.dpuactors.bridge.jna;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.nio.file.Path;

/**
 * The dynamic linker itself, directly mapped ({@code dlfcn.h}). JNA's own search is not used for
 * DOCA's libraries: it would also look on the class path and so take the embedded software DPU for
 * NVIDIA's library. Thread: any.
 */
final class DynamicLinker {
  // The same numbers on Linux for x86-64 and aarch64.
  static final int RTLD_NOW = 2;
  private static final int RTLD_NOLOAD = 4;

  static {
    Native.register(DynamicLinker.class, NativeLibrary.getProcess());
  }

  private DynamicLinker() {}

  /**
   * Opens a library; its symbols stay invisible to others.
   *
   * @param name a soname, found as the linker finds it, or an absolute path
   * @return its handle
   * @throws UnsatisfiedLinkError saying what the linker says
   */
  static long open(String name) {
    long handle = dlopen(name, RTLD_NOW);
    if (handle == 0) {
      throw new UnsatisfiedLinkError(dlerror());
    }
    return handle;
  }

  /** Undoes one {@link #open}. */
  static void close(long handle) {
    dlclose(handle);
  }

  /** Whether a library of that name is in this process. */
  static boolean isResident(String name) {
    long handle = dlopen(name, RTLD_NOW | RTLD_NOLOAD);
    if (handle == 0) {
      return false;
    }
    dlclose(handle);
    return true;
  }

  /** Address of a symbol, 0 when the library and what it needs lack it. */
  static long symbol(long handle, String name) {
    return dlsym(handle, name);
  }

  /** Absolute path of the library that a symbol's address belongs to. */
  static String pathOf(long address) {
    long[] info = new long[4]; // Dl_info: the first of four pointers is the file's name
    if (dladdr(address, info) == 0) {
      throw new IllegalArgumentException("no library has address 0x" + Long.toHexString(address));
    }
    return Path.of(new Pointer(info[0]).getString(0)).toAbsolutePath().toString();
  }

  private static native long dlopen(String name, int flags);

  private static native int dlclose(long handle);

  private static native long dlsym(long handle, String name);

  private static native String dlerror();

  private static native int dladdr(long address, long[] info);
}
