package io.dpuactors.apps.hash;

import io.dpuactors.protocol.ShaProtocol.Algorithm;
import java.io.IOException;
import java.nio.charset.Charset;
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
  /**
   * Reads a list.
   *
   * @param list a file; - is standard input
   * @param onMalformed receives the numbers of malformed lines, from 1
   */
  static SumList read(Path list, Algorithm algorithm, LongConsumer onMalformed) throws IOException {
    boolean isStream = list.toString().equals("-");
    byte[] bytes = isStream ? System.in.readAllBytes() : Files.readAllBytes(list);
    SumLine.Parser parser = new SumLine.Parser(algorithm);
    List<SumLine> lines = new ArrayList<>();
    int malformed = 0;
    long number = 0;
    for (String line : new String(bytes, Charset.defaultCharset()).split("\n", -1)) {
      number++;
      String content = line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
      if (content.isEmpty() || content.startsWith("#")) {
        continue;
      }
      Optional<SumLine> parsed =
          parser.parse(content).filter(one -> !isStream || !one.name().equals("-"));
      if (parsed.isPresent()) {
        lines.add(parsed.get());
      } else {
        malformed++;
        onMalformed.accept(number);
      }
    }
    return new SumList(isStream ? "'standard input'" : list.toString(), lines, malformed);
  }
}
