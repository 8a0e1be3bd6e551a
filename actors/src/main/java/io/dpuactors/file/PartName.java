package io.dpuactors.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Names of outputs that are not whole yet.
 *
 * <pre>
 *   .dpu-BOOT-RUN-NUMBER.part   its process holds a lock on it as long as the process lives
 *   .dpu-RUN-NUMBER.part        on a file system without locks
 * </pre>
 *
 * <p>BOOT names the running kernel. A lock says something only to processes of the same kernel: a
 * network file system may keep the locks of another host to that host. RUN is a random number of
 * this process, because process ids are reused. Thread: any.
 */
final class PartName {
  /** Matches every name of this scheme, and others. */
  static final String GLOB = ".dpu-*.part";

  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
  private static final String RUN = "%016x".formatted(ThreadLocalRandom.current().nextLong());
  private static final AtomicLong NUMBER = new AtomicLong();
  private static final String BOOT = boot();

  private PartName() {}

  /** A new name for a part that its process locks. */
  static String locked() {
    return BOOT.isEmpty()
        ? unlocked()
        : ".dpu-%s-%s-%x.part".formatted(BOOT, RUN, NUMBER.getAndIncrement());
  }

  /** A new name for a part that cannot be locked. */
  static String unlocked() {
    return ".dpu-%s-%x.part".formatted(RUN, NUMBER.getAndIncrement());
  }

  /** Whether a missing lock on this part proves that its process has ended. */
  static boolean isProvedByLock(Path part) {
    String name = String.valueOf(part.getFileName());
    return !BOOT.isEmpty()
        && name.matches("\\.dpu-" + BOOT + "-[0-9a-f]{16}-[0-9a-f]{1,16}\\.part")
        && !name.contains(RUN);
  }

  /** Empty if the kernel does not say. */
  private static String boot() {
    try {
      return Files.readString(BOOT_ID).replaceAll("[^0-9a-f]", "");
    } catch (IOException e) {
      return "";
    }
  }
}
