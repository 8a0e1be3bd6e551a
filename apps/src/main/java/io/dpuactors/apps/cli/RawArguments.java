package io.dpuactors.apps.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * Checks the arguments in the kernel's bytes. The JVM replaces bytes that it cannot decode. A file
 * name with replaced bytes would name another file, or none.
 */
public final class RawArguments {
  private static final char REPLACEMENT = '\ufffd';

  private RawArguments() {}

  /** Returns the error for the first argument that the JVM could not decode, or empty. */
  public static Optional<String> problem(String[] args) {
    Optional<String> suspect =
        Arrays.stream(args).filter(arg -> arg.indexOf(REPLACEMENT) >= 0).findFirst();
    if (suspect.isEmpty()) {
      return Optional.empty();
    }
    try {
      return problem(
          suspect.get(),
          Files.readAllBytes(Path.of("/proc/self/cmdline")),
          Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8")));
    } catch (IOException e) {
      return Optional.of("the arguments cannot be read from /proc: " + e.getMessage());
    }
  }

  /**
   * Returns the error for the given bytes, or empty.
   *
   * @param suspect an argument with U+FFFD, which the user may have written
   */
  public static Optional<String> problem(String suspect, byte[] commandLine, Charset charset) {
    try {
      charset.newDecoder().decode(ByteBuffer.wrap(commandLine));
      return Optional.empty();
    } catch (CharacterCodingException e) {
      return Optional.of(
          "'%s' is not valid %s: rename the file, or let the shell open it (dpu compress - <FILE >FILE.gz)"
              .formatted(suspect, charset.name()));
    }
  }
}
