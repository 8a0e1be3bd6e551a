package io.dpuactors.file;

import io.dpuactors.protocol.ShaProtocol.Algorithm;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Settings for the hashes of a list of files.
 *
 * @param device PCI address, long or short form; empty: the first device that hashes
 * @param parallel number of files at a time
 * @param algorithm the hash function
 * @param files regular files, pipes, or {@link FileJob#STREAM} for standard input
 */
public record HashSettings(
    Optional<String> device, int parallel, Algorithm algorithm, List<Path> files) {
  /** Copies the list and checks the number; throws IllegalArgumentException. */
  public HashSettings {
    files = List.copyOf(files);
    if (parallel < 1) {
      throw new IllegalArgumentException("parallel is %d; at least 1".formatted(parallel));
    }
  }
}
