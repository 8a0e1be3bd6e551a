package io.dpuactors.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Names of partial outputs.
 *
 * <pre>
 *   .dpu-BOOT-RUN-NUMBER.part   its process holds a lock on it until the process ends
 *   .dpu-RUN-NUMBER.part        on a file system without locks
 *   .OUTPUT.dpu.part            a later process continues it, with .OUTPUT.dpu.journal
 *   .OUTPUT.dpu.old             a second name of a file that the process replaces
 * </pre>
 *
 * <p>BOOT identifies the running kernel. Locks are reliable only between processes of one kernel: a
 * network file system may hide another host's locks. RUN is a random number of this process: the
 * kernel reuses process ids. Thread: any.
 */
final class PartName {
  /** Pattern that matches every name of this scheme, and possibly others. */
  static final String GLOB = ".dpu-*.part";

  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
  private static final String RUN = "%016x".formatted(ThreadLocalRandom.current().nextLong());
  private static final AtomicLong NUMBER = new AtomicLong();
  private static final String BOOT = boot();

  private PartName() {}

  /** Returns a new name for a part that this process locks. */
  static String locked() {
    return BOOT.isEmpty()
        ? unlocked()
        : ".dpu-%s-%s-%x.part".formatted(BOOT, RUN, NUMBER.getAndIncrement());
  }

  /** Returns a new name for a part that cannot be locked. */
  static String unlocked() {
    return ".dpu-%s-%x.part".formatted(RUN, NUMBER.getAndIncrement());
  }

  /**
   * Returns the name of a part that a later process continues, of its journal, or of a replaced
   * file.
   *
   * @param suffix {@code part}, {@code journal} or {@code old}
   */
  static String kept(Path target, String suffix) {
    return ".%s.dpu.%s".formatted(target.getFileName(), suffix);
  }

  /** Returns whether a missing lock on this part proves that its process has ended. */
  static boolean isProvedByLock(Path part) {
    String name = String.valueOf(part.getFileName());
    return !BOOT.isEmpty()
        && name.matches("\\.dpu-" + BOOT + "-[0-9a-f]{16}-[0-9a-f]{1,16}\\.part")
        && !name.contains(RUN);
  }

  /** Returns the kernel's boot id; empty if unknown. */
  private static String boot() {
    try {
      return Files.readString(BOOT_ID).replaceAll("[^0-9a-f]", "");
    } catch (IOException e) {
      return "";
    }
  }
}
