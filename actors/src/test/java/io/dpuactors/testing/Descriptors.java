package io.dpuactors.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The file descriptors of this process. */
public final class Descriptors {
  private static final Path ALL = Path.of("/proc/self/fd");

  static {
    try (FileChannel first = FileChannel.open(Path.of("/dev/null"))) {
      // The JVM keeps a socket open from its first channel on.
      Objects.requireNonNull(first);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Descriptors() {}

  /** Returns the number of open descriptors, without those of classes, which the JVM opens late. */
  public static long open() throws IOException {
    return targets().size();
  }

  /** Returns the targets of the descriptors of {@link #open}. */
  public static List<String> targets() throws IOException {
    try (Stream<Path> all = Files.list(ALL)) {
      return all.map(Descriptors::target).filter(one -> !isOfClasses(one)).sorted().toList();
    }
  }

  private static boolean isOfClasses(String target) {
    return target.endsWith(".jar") || target.endsWith("/lib/modules");
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException closedMeanwhile) {
      return ".jar"; // not counted
    }
  }
}
