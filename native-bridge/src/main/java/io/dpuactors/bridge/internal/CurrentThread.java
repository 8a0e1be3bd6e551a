package io.dpuactors.bridge.internal;

import io.dpuactors.bridge.jna.ThreadCalls;

/** The calling thread, as Linux schedules it. */
public final class CurrentThread {
  private static final int MAX_CPUS = 4096;

  private CurrentThread() {}

  /**
   * Lets one CPU only run this thread. Threads that this thread starts later inherit the setting.
   *
   * @param cpu Linux number of the CPU, 0 to 4095
   * @return 0, or the errno of the refusal: EINVAL for a CPU that this process may not use
   */
  public static int pin(int cpu) {
    byte[] mask = new byte[MAX_CPUS / Byte.SIZE];
    mask[cpu / Byte.SIZE] = (byte) (1 << cpu % Byte.SIZE);
    return ThreadCalls.setAffinity(mask);
  }

  /**
   * Sets the nice value of this thread. Threads that this thread starts later inherit the value.
   *
   * @param nice -20 (first) to 19 (last)
   * @return 0, or the errno of the refusal: EACCES without CAP_SYS_NICE
   */
  public static int nice(int nice) {
    return ThreadCalls.setNice(nice);
  }
}
