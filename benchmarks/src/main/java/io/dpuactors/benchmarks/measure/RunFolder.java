package io.dpuactors.benchmarks.measure;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Folders of runs. Inside a folder of results each run has one that is named by its begin.
 *
 * @param results the folder of results
 * @param mark name of a file that every run has
 */
public record RunFolder(Path results, String mark) {
  private static final DateTimeFormatter NAME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

  /** The user named a folder that cannot be used. */
  public static final class Unusable extends Exception {
    private static final long serialVersionUID = 1;

    Unusable(String message) {
      super(message);
    }
  }

  /** Returns the path for a run that begins now. */
  public Path next() {
    return results.resolve(LocalDateTime.now(ZoneOffset.UTC).format(NAME));
  }

  /** Returns the newest run, if any. */
  public Optional<Path> newest() throws IOException {
    return newest(run -> Files.exists(run.resolve(mark)));
  }

  /** Returns the newest folder that a condition accepts, if any. */
  public Optional<Path> newest(Predicate<Path> condition) throws IOException {
    if (!Files.isDirectory(results)) {
      return Optional.empty();
    }
    try (Stream<Path> runs = Files.list(results)) {
      return runs.filter(condition).max(Comparator.naturalOrder());
    }
  }

  /**
   * Creates the folder of a new run.
   *
   * @param wanted the folder that the user named; null: a new one
   */
  public Path create(@Nullable Path wanted) throws IOException, Unusable {
    Path path = wanted == null ? next() : wanted;
    if (Files.exists(path.resolve(mark))) {
      throw new Unusable(path + " holds a run already: --resume continues it");
    }
    try {
      return Files.createDirectories(path);
    } catch (FileAlreadyExistsException e) {
      throw new Unusable("--out " + path + " is no folder");
    }
  }

  /**
   * Returns the folder of an earlier run.
   *
   * @param wanted the folder that the user named; null: the newest
   */
  public Path resume(@Nullable Path wanted) throws IOException, Unusable {
    Optional<Path> found = wanted == null ? newest() : Optional.of(wanted);
    if (found.isEmpty() || !Files.isRegularFile(found.get().resolve(mark))) {
      throw new Unusable(
          "--resume: no run of this experiment in " + (wanted == null ? results : wanted));
    }
    return found.get();
  }
}
