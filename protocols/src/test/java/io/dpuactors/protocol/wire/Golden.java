package io.dpuactors.protocol.wire;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Objects;

/**
 * Reference messages of each format, in hexadecimal with blanks, lines and comments after {@code
 * #}. A test that fails against them has changed the format.
 */
public final class Golden {
  private Golden() {}

  public static byte[] read(String name) throws IOException {
    try (InputStream in = Golden.class.getResourceAsStream("/wire/" + name + ".hex")) {
      String text =
          new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.US_ASCII);
      return HexFormat.of().parseHex(text.replaceAll("#.*", "").replaceAll("\\s", ""));
    }
  }
}
