package io.dpuactors.experiments;

import io.dpuactors.experiments.ExperimentRun.WrongUse;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The folder of a run's files.
 *
 * @param path of an existing folder
 */
record Folder(Path path) {
  private static final DateTimeFormatter NAME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

  /**
   * Finds the folder of an earlier run, or creates one for a new run.
   *
   * @param wanted the folder that the user named; null: one in {@code results}
   * @param log the file whose presence marks a run
   */
  static Folder choose(@Nullable Path wanted, Path results, String log, boolean resume)
      throws IOException, WrongUse {
    return resume ? earlier(wanted, results, log) : fresh(wanted, results, log);
  }

  private static Folder earlier(@Nullable Path wanted, Path results, String log)
      throws IOException, WrongUse {
    Optional<Path> found = wanted == null ? newest(results, log) : Optional.of(wanted);
    if (found.isEmpty() || !Files.isRegularFile(found.get().resolve(log))) {
      throw new WrongUse(
          "--resume: no run of this experiment in " + (wanted == null ? results : wanted));
    }
    return new Folder(found.get());
  }

  private static Optional<Path> newest(Path results, String log) throws IOException {
    if (!Files.isDirectory(results)) {
      return Optional.empty();
    }
    try (Stream<Path> runs = Files.list(results)) {
      return runs.filter(run -> Files.exists(run.resolve(log)))
          .max(Comparator.comparing(run -> run.getFileName().toString()));
    }
  }

  private static Folder fresh(@Nullable Path wanted, Path results, String log)
      throws IOException, WrongUse {
    Path path =
        wanted == null ? results.resolve(LocalDateTime.now(ZoneOffset.UTC).format(NAME)) : wanted;
    if (Files.exists(path.resolve(log))) {
      throw new WrongUse(path + " holds a run already: --resume goes on with it");
    }
    try {
      Files.createDirectories(path);
    } catch (FileAlreadyExistsException e) {
      throw new WrongUse("--out " + path + " is no folder");
    }
    return new Folder(path);
  }
}
