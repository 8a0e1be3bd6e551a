package io.dpuactors.bridge.jna;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.nio.file.Path;

/**
 * The dynamic linker, directly mapped ({@code dlfcn.h}). JNA's search is not suitable for DOCA's
 * libraries: it also searches the class path, and would find the embedded software DPU instead of
 * NVIDIA's library. Thread: any.
 */
final class DynamicLinker {
  // The value is the same on Linux for x86-64 and aarch64.
  static final int RTLD_NOW = 2;
  private static final int RTLD_NOLOAD = 4;

  static {
    Native.register(DynamicLinker.class, NativeLibrary.getProcess());
  }

  private DynamicLinker() {}

  /**
   * Opens a library with local symbols.
   *
   * @param name a soname, resolved by the linker, or an absolute path
   * @return its handle
   * @throws UnsatisfiedLinkError with the linker's message
   */
  static long open(String name) {
    long handle = dlopen(name, RTLD_NOW);
    if (handle == 0) {
      throw new UnsatisfiedLinkError(dlerror());
    }
    return handle;
  }

  /** Closes a handle of {@link #open}. */
  static void close(long handle) {
    dlclose(handle);
  }

  /** Returns whether this process has loaded a library of that name. */
  static boolean isResident(String name) {
    long handle = dlopen(name, RTLD_NOW | RTLD_NOLOAD);
    if (handle == 0) {
      return false;
    }
    dlclose(handle);
    return true;
  }

  /** Returns the address of a symbol; 0 if the library and its dependencies lack it. */
  static long symbol(long handle, String name) {
    return dlsym(handle, name);
  }

  /** Returns the absolute path of the library that contains an address. */
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
