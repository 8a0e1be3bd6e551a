package io.dpuactors.file;

import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Settings for a list of files.
 *
 * @param device PCI address, long or short form; empty: the first device that supports all jobs
 * @param engines number of progress engines on one device, each with a separate thread, context and
 *     memory; jobs with a key need one engine
 * @param parallel blocks in flight per engine
 * @param memoryBytes largest registered memory for decompression. If {@code parallel} members need
 *     more, fewer are in flight, at least one. The block size determines the memory of compression
 *     and copies
 * @param jobs run in order; all with tasks of one library, or of compression and encryption
 */
public record BatchSettings(
    Optional<String> device, int engines, int parallel, long memoryBytes, List<FileJob> jobs) {
  /** Enough for 4 members of 32 MiB at any compression ratio. */
  public static final long DEFAULT_MEMORY_BYTES = 256L << 20;

  private static final Set<TaskLibrary> COMPRESS_AND_ENCRYPT =
      EnumSet.of(TaskLibrary.COMPRESS, TaskLibrary.AES_GCM);

  /** Copies the list and checks the numbers; throws IllegalArgumentException. */
  public BatchSettings {
    jobs = List.copyOf(jobs);
    Set<TaskLibrary> libraries = libraries(jobs);
    if (libraries.size() > 1 && !libraries.equals(COMPRESS_AND_ENCRYPT)) {
      throw new IllegalArgumentException(
          "a batch has one kind of context, or compresses and encrypts: its jobs need "
              + libraries);
    }
    if (engines > 1 && jobs.stream().anyMatch(job -> job.encryption().isPresent())) {
      throw new IllegalArgumentException("a key belongs to the contexts of one engine");
    }
    if (engines < 1 || parallel < 1 || memoryBytes < 1) {
      throw new IllegalArgumentException(
          "engines %d, parallel %d, memory %d: at least 1 each"
              .formatted(engines, parallel, memoryBytes));
    }
  }

  /** Returns the tasks that a device must support for all jobs. */
  Set<TaskKind> kinds() {
    return kinds(jobs);
  }

  private static Set<TaskLibrary> libraries(List<FileJob> jobs) {
    return kinds(jobs).stream().map(TaskLibrary::of).collect(Collectors.toSet());
  }

  private static Set<TaskKind> kinds(List<FileJob> jobs) {
    Set<TaskKind> kinds = EnumSet.noneOf(TaskKind.class);
    jobs.forEach(job -> kinds.addAll(job.kinds()));
    return kinds;
  }
}
