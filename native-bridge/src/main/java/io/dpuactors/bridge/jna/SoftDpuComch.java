package io.dpuactors.bridge.jna;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;

/**
 * Reports about comch clients of the software DPU, in addition to DOCA's functions.
 *
 * <p>Thread: that of the client's progress engine.
 */
@SuppressWarnings("MemberName") // names as in C
public final class SoftDpuComch {
  private SoftDpuComch() {}

  /**
   * Binds this class to the software DPU. Idempotent.
   *
   * @param path path of the loaded {@code doca_comch} of the software DPU
   */
  static synchronized void register(String path) {
    if (!Native.registered(SoftDpuComch.class)) {
      Native.register(SoftDpuComch.class, NativeLibrary.getInstance(path));
    }
  }

  /**
   * Returns the reason why the last start of a client failed.
   *
   * @param client the {@code struct doca_comch_client *}
   * @return {@code doca_error_t}; 0 if there was no failure, or if the library does not report it
   */
  public static int failureOf(long client) {
    return Native.registered(SoftDpuComch.class) ? softdpu_comch_client_get_failure(client) : 0;
  }

  static native int softdpu_comch_client_get_failure(long client);
}
