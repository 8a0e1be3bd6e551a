package io.dpuactors.apps.hash;

import io.dpuactors.protocol.ShaProtocol.Algorithm;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * A list of digests.
 *
 * @param name of the list, for messages
 * @param lines well-formed lines
 * @param malformed number of other lines, without comments and empty lines
 */
record SumList(String name, List<SumLine> lines, int malformed) {
  /** Largest size of a list. The lines and results of a larger one may exceed the heap. */
  static final int MAX_BYTES = 16 << 20;

  private static final int PART_BYTES = 64 << 10;

  /**
   * Reads a list, at most {@link #MAX_BYTES}.
   *
   * @param list a file; - is standard input
   * @param onMalformed receives the numbers of malformed lines, from 1
   */
  static SumList read(Path list, Algorithm algorithm, LongConsumer onMalformed) throws IOException {
    boolean isStream = list.toString().equals("-");
    String name = isStream ? "'standard input'" : list.toString();
    byte[] bytes = isStream ? bytes(System.in, name) : bytes(list);
    String text = new String(bytes, Charset.defaultCharset());
    SumLine.Parser parser = new SumLine.Parser(algorithm);
    List<SumLine> lines = new ArrayList<>();
    int malformed = 0;
    long number = 0;
    int end;
    for (int begin = 0; begin <= text.length(); begin = end + 1) {
      int feed = text.indexOf('\n', begin);
      end = feed < 0 ? text.length() : feed;
      String line = text.substring(begin, end);
      number++;
      String content = line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
      if (content.isEmpty() || content.startsWith("#")) {
        continue;
      }
      Optional<SumLine> parsed =
          parser
              .parse(content)
              .filter(one -> !isStream || !one.name().equals("-"))
              .filter(one -> one.file().isPresent());
      if (parsed.isPresent()) {
        lines.add(parsed.get());
      } else {
        malformed++;
        onMalformed.accept(number);
      }
    }
    return new SumList(name, lines, malformed);
  }

  private static byte[] bytes(Path list) throws IOException {
    try (InputStream in = Files.newInputStream(list)) {
      return bytes(in, list.toString());
    }
  }

  private static byte[] bytes(InputStream in, String name) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] part = new byte[PART_BYTES];
    // not readNBytes(int): in JDK 21 it seeks, and a pipe refuses that
    for (int count; (count = in.read(part)) > 0; ) {
      all.write(part, 0, count);
      if (all.size() > MAX_BYTES) {
        throw new FileSystemException(
            name, null, "larger than 16 MiB, the limit of a list of digests");
      }
    }
    return all.toByteArray();
  }
}
