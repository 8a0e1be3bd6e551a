package io.dpuactors.erasure;

import io.dpuactors.erasure.PartFormatException.Problem;
import io.dpuactors.wire.IoReason;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The parts of one file in a folder. Headers identify the parts; names do not matter. A folder may
 * contain other files, and single parts of other files. Thread: one at a time.
 */
public final class PartSet implements Closeable {
  private static final String OF_ANOTHER = "a part of another file";

  /**
   * A file in the folder that is not used.
   *
   * @param reason for users
   */
  public record Other(Path path, String reason) {}

  /** The parts of one file, by index. */
  private record Found(PartHeader header, Map<Integer, Part> parts) {
    boolean isEnough() {
      return parts.size() >= header.stripes().data();
    }

    int count() {
      return parts.size();
    }

    void close() throws IOException {
      for (Part part : parts.values()) {
        part.close();
      }
    }
  }

  private final Found found;
  private final List<Other> others;

  private PartSet(Found found, List<Other> others) {
    this.found = found;
    this.others = others;
  }

  /**
   * Opens the parts of one file in a folder. The method chooses the only file with enough parts, or
   * else the file with the most parts.
   *
   * @throws PartFormatException if there is no part, or enough parts of more than one file
   */
  public static PartSet open(Path folder) throws IOException {
    List<Other> others = new ArrayList<>();
    Map<PartHeader, Found> files = new LinkedHashMap<>();
    try {
      for (Path path : regularFiles(folder)) {
        sort(path, files, others);
      }
      Found chosen = choose(files.values());
      files.remove(chosen.header);
      for (Found file : files.values()) {
        file.parts.values().forEach(part -> others.add(new Other(part.path(), OF_ANOTHER)));
        file.close();
      }
      return new PartSet(chosen, List.copyOf(others));
    } catch (IOException e) {
      for (Found file : files.values()) {
        file.close();
      }
      throw e;
    }
  }

  private static List<Path> regularFiles(Path folder) throws IOException {
    List<Path> paths = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder, Files::isRegularFile)) {
      stream.forEach(paths::add);
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    paths.sort(Comparator.naturalOrder());
    return paths;
  }

  /** Adds a file to the parts of its file, or to the others. */
  private static void sort(Path path, Map<PartHeader, Found> files, List<Other> others) {
    try {
      Part part = Part.open(path);
      Found file =
          files.computeIfAbsent(
              part.header().withIndex(0), header -> new Found(header, new TreeMap<>()));
      Part earlier = file.parts.putIfAbsent(part.header().index(), part);
      if (earlier != null) {
        part.close();
        others.add(new Other(path, "another copy of " + earlier.path().getFileName()));
      }
    } catch (PartFormatException e) {
      others.add(new Other(path, String.valueOf(e.getMessage())));
    } catch (IOException e) {
      others.add(new Other(path, "cannot be read: " + IoReason.of(e)));
    }
  }

  private static Found choose(Collection<Found> files) throws PartFormatException {
    long enough = files.stream().filter(Found::isEnough).count();
    if (enough > 1) {
      throw new PartFormatException(
          Problem.AMBIGUOUS, "has the parts of %d files; keep those of one".formatted(enough));
    }
    return files.stream()
        .max(
            Comparator.comparing(Found::isEnough)
                .thenComparing(Found::count)
                .thenComparing(file -> file.header.file()))
        .orElseThrow(
            () -> new PartFormatException(Problem.TOO_FEW, "has no part of 'dpu ec encode'"));
  }

  /**
   * Checks that enough parts exist.
   *
   * @throws PartFormatException with both numbers
   */
  public void requireEnough() throws PartFormatException {
    if (!found.isEnough()) {
      throw new PartFormatException(
          Problem.TOO_FEW,
          "has %d of %d parts, %d are needed"
              .formatted(found.count(), header().stripes().parts(), header().stripes().data()));
    }
  }

  /** Returns the header of the parts, with index 0. */
  public PartHeader header() {
    return found.header;
  }

  /** Returns a part; null if it is missing or its header is damaged. */
  public @Nullable Part part(int index) {
    return found.parts.get(index);
  }

  /** Returns the part with the lowest index. */
  public Part first() {
    return found.parts.values().iterator().next();
  }

  /** Returns the other files in the folder. */
  public List<Other> others() {
    return others;
  }

  /** Closes all parts. Idempotent. */
  @Override
  public void close() throws IOException {
    found.close();
  }
}
