package io.dpuactors.bridge.jna;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;

/**
 * The control functions that the software DPU exports beside DOCA's, directly mapped: names and
 * signatures are those of {@code softdpu.h}, which says what each function means. Structures of
 * 64-bit numbers are {@code long[]}, in the order of their members.
 *
 * <p>Thread: any. Usable once {@link #register} returned true.
 */
@SuppressWarnings("MemberName") // the names are those of C
public final class SoftDpuLibrary {
  /** Members of {@code struct softdpu_fault_counters}. */
  public static final int FAULT_COUNTERS = 6;

  /** Members of {@code struct softdpu_census}. */
  public static final int CENSUS_MEMBERS = 11;

  private SoftDpuLibrary() {}

  /**
   * Binds this class to a DOCA library if that is the software DPU. Binding it again is harmless.
   *
   * @param path what {@code doca_common} was loaded from
   * @return false for any other DOCA library
   */
  public static synchronized boolean register(String path) {
    if (Native.registered(SoftDpuLibrary.class)) {
      return true;
    }
    NativeLibrary library = NativeLibrary.getInstance(path);
    if (!exports(library, "softdpu_version")) {
      return false;
    }
    Native.register(SoftDpuLibrary.class, library);
    return true;
  }

  private static boolean exports(NativeLibrary library, String symbol) {
    try {
      library.getFunction(symbol);
      return true;
    } catch (UnsatisfiedLinkError absent) {
      return false;
    }
  }

  public static native String softdpu_version();

  public static native int softdpu_set_execution(int execution);

  public static native int softdpu_get_execution();

  public static native int softdpu_set_seed(long seed);

  public static native long softdpu_get_seed();

  public static native int softdpu_set_threads(int threads);

  public static native int softdpu_get_threads();

  public static native int softdpu_set_null(byte enable);

  public static native byte softdpu_get_null();

  public static native int softdpu_set_deflate_level(int level);

  public static native int softdpu_get_deflate_level();

  public static native int softdpu_set_profile(String name);

  public static native String softdpu_get_profile();

  public static native int softdpu_faults_set(String plan);

  public static native void softdpu_faults_clear();

  public static native void softdpu_faults_get_counters(long[] counters);

  public static native int softdpu_quirks_set(String list);

  public static native long softdpu_clock_now();

  public static native void softdpu_clock_set_manual(byte manual);

  public static native int softdpu_clock_advance(long ns);

  public static native void softdpu_census(long[] census);
}
