package io.dpuactors.bridge.jna;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import org.jspecify.annotations.Nullable;

/**
 * The software DPU's control functions, directly mapped. Names and signatures are those of {@code
 * softdpu.h}, which documents each function. Structures of 64-bit numbers are {@code long[]}, in
 * the order of their members.
 *
 * <p>Thread: any. Call {@link #register} first; it must return true.
 */
@SuppressWarnings("MemberName") // names as in C
public final class SoftDpuLibrary {
  /** Members of {@code struct softdpu_fault_counters}. */
  public static final int FAULT_COUNTERS = 7;

  /** Members of {@code struct softdpu_census}. */
  public static final int CENSUS_MEMBERS = 11;

  private SoftDpuLibrary() {}

  /**
   * Binds this class to a DOCA library if that is the software DPU. Idempotent.
   *
   * @param path path of the loaded {@code doca_common}
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

  public static native @Nullable String softdpu_get_problem();

  public static native int softdpu_set_execution(int execution);

  public static native int softdpu_set_seed(long seed);

  public static native int softdpu_set_threads(int threads);

  public static native int softdpu_set_null(byte enable);

  public static native int softdpu_set_deflate_level(int level);

  public static native int softdpu_set_profile(String name);

  public static native String softdpu_get_profile();

  public static native int softdpu_faults_set(String plan);

  public static native void softdpu_faults_clear();

  public static native void softdpu_faults_get_counters(long[] counters);

  public static native int softdpu_faults_get_fired(long[] fired, int capacity);

  public static native int softdpu_quirks_set(String list);

  public static native long softdpu_clock_now();

  public static native void softdpu_clock_set_manual(byte manual);

  public static native int softdpu_clock_advance(long ns);

  public static native long softdpu_clock_get_next();

  public static native int softdpu_enter_host(int host);

  public static native int softdpu_kill_host(int host);

  public static native int softdpu_set_strict(byte enable);

  public static native @Nullable String softdpu_get_wrong_call();

  public static native int softdpu_set_call_trace(byte enable);

  public static native @Nullable String softdpu_take_call();

  public static native void softdpu_census(long[] census);
}
