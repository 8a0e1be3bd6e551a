package io.dpuactors.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The file descriptors of this process. */
public final class Descriptors {
  private static final Path ALL = Path.of("/proc/self/fd");

  private Descriptors() {}

  /** Returns the number of open descriptors, without those of the class path. */
  public static long open() throws IOException {
    try (Stream<Path> all = Files.list(ALL)) {
      return all.filter(one -> !target(one).endsWith(".jar")).count();
    }
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException closedMeanwhile) {
      return ".jar"; // not counted
    }
  }
}
