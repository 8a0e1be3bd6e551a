package io.dpuactors.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The file descriptors of this process. */
public final class Descriptors {
  private static final Path ALL = Path.of("/proc/self/fd");

  private Descriptors() {}

  /** Returns the number of open descriptors, without those of classes, which the JVM opens late. */
  public static long open() throws IOException {
    try (Stream<Path> all = Files.list(ALL)) {
      return all.map(Descriptors::target).filter(one -> !isOfClasses(one)).count();
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
