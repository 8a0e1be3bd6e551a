package io.dpuactors.file;

import io.dpuactors.bridge.TaskKind;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How a list of files is worked on.
 *
 * @param device PCI address, long or short form; empty: the first device that can do everything
 * @param engines progress engines, each with a thread, a context and memory of its own, on the same
 *     device
 * @param parallel blocks in flight per engine
 * @param memoryBytes most registered memory for decompression: with members so large that {@code
 *     parallel} of them need more, fewer are in flight, at least one. Compression and copies use
 *     what their block size says
 * @param jobs worked on one after the other; if one copies, all do
 */
public record BatchSettings(
    Optional<String> device, int engines, int parallel, long memoryBytes, List<FileJob> jobs) {
  /** Enough for 4 members of 32 MiB, whatever their compression. */
  public static final long DEFAULT_MEMORY_BYTES = 256L << 20;

  /** Copies the list, checks the numbers. */
  public BatchSettings {
    jobs = List.copyOf(jobs);
    long copies = jobs.stream().filter(job -> job instanceof FileJob.Copy).count();
    if (copies > 0 && copies < jobs.size()) {
      throw new IllegalArgumentException(
          "a batch has one kind of context: either all of its jobs copy, or none does");
    }
    if (engines < 1 || parallel < 1 || memoryBytes < 1) {
      throw new IllegalArgumentException(
          "engines %d, parallel %d, memory %d: at least 1 each"
              .formatted(engines, parallel, memoryBytes));
    }
  }

  /** What a device must be able to do for all of the jobs. */
  Set<TaskKind> kinds() {
    Set<TaskKind> kinds = EnumSet.noneOf(TaskKind.class);
    jobs.forEach(job -> kinds.addAll(job.kinds()));
    return kinds;
  }
}
