package io.dpuactors.bridge.jna;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;

/** Linux settings of the calling thread ({@code sched_setaffinity(2)}, {@code setpriority(2)}). */
public final class ThreadCalls {
  private static final int CALLING_THREAD = 0;
  private static final int PRIO_PROCESS = 0; // means one thread on Linux

  static {
    Native.register(ThreadCalls.class, NativeLibrary.getProcess());
  }

  private ThreadCalls() {}

  /**
   * Sets the CPUs that may run the calling thread.
   *
   * @param mask one bit per CPU, from the lowest bit of the first byte
   * @return 0, or errno
   */
  public static int setAffinity(byte[] mask) {
    return sched_setaffinity(CALLING_THREAD, mask.length, mask) == 0 ? 0 : Native.getLastError();
  }

  /**
   * Sets the nice value of the calling thread.
   *
   * @return 0, or errno
   */
  public static int setNice(int nice) {
    return setpriority(PRIO_PROCESS, CALLING_THREAD, nice) == 0 ? 0 : Native.getLastError();
  }

  @SuppressWarnings("checkstyle:MethodName") // name of the C function
  private static native int sched_setaffinity(int thread, long bytes, byte[] mask);

  private static native int setpriority(int which, int thread, int nice);
}
