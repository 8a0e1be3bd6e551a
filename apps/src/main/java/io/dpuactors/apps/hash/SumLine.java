package io.dpuactors.apps.hash;

import io.dpuactors.protocol.ShaProtocol.Algorithm;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One line of a list of digests in the formats of {@code sha256sum}.
 *
 * @param digest lower-case hexadecimal digits
 * @param name of the file
 */
record SumLine(String digest, String name) {
  /** Formats of a line. */
  enum Format {
    /** {@code digest name}. */
    TEXT,
    /** {@code digest *name}. */
    BINARY,
    /** {@code SHA256 (name) = digest}. */
    TAG
  }

  // Names may contain U+0085, U+2028 and U+2029, which a dot matches only with DOTALL.
  private static final Pattern PLAIN =
      Pattern.compile("[ \t]*(\\\\?)([0-9a-fA-F]+)[ \t](.+)", Pattern.DOTALL);
  private static final Pattern TAGGED =
      Pattern.compile(
          "[ \t]*(\\\\?)(SHA\\d+) ?\\((.*)\\)[ \t]*=[ \t]*([0-9a-fA-F]+)", Pattern.DOTALL);

  /**
   * Formats the line.
   *
   * @param escapes whether a backslash, a line feed and a carriage return in the name are escaped;
   *     a backslash before the line marks this
   */
  String text(Algorithm algorithm, Format format, boolean escapes) {
    String shown = escapes ? escaped(name) : name;
    String mark = shown.equals(name) ? "" : "\\";
    return switch (format) {
      case TEXT -> "%s%s  %s".formatted(mark, digest, shown);
      case BINARY -> "%s%s *%s".formatted(mark, digest, shown);
      case TAG -> "%s%s (%s) = %s".formatted(mark, algorithm, shown, digest);
    };
  }

  /** Returns the file; empty: no file can have this name, for example one with a zero byte. */
  Optional<Path> file() {
    try {
      return Optional.of(Path.of(name));
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  /** Returns a name for a line of a report, with its mark. */
  static String marked(String name) {
    String shown = escaped(name);
    return shown.equals(name) ? name : "\\" + shown;
  }

  private static String escaped(String name) {
    return name.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
  }

  /**
   * Reads lines of one list. Some programs write one space before the name: the first line decides
   * for all lines.
   */
  static final class Parser {
    private final Algorithm algorithm;
    private @Nullable Boolean oneSpace;

    Parser(Algorithm algorithm) {
      this.algorithm = algorithm;
    }

    /** Returns the content of a line; empty: the line has another format. */
    Optional<SumLine> parse(String line) {
      Matcher tagged = TAGGED.matcher(line);
      if (tagged.matches()) {
        return tagged.group(2).equals(algorithm.name())
            ? line(tagged.group(1), tagged.group(4), tagged.group(3))
            : Optional.empty();
      }
      Matcher plain = PLAIN.matcher(line);
      if (!plain.matches() || plain.group(2).length() != 2 * algorithm.digestBytes()) {
        return Optional.empty();
      }
      String rest = plain.group(3);
      boolean two = rest.length() > 1 && (rest.charAt(0) == ' ' || rest.charAt(0) == '*');
      if (!two && Boolean.FALSE.equals(oneSpace)) {
        return Optional.empty();
      }
      if (oneSpace == null || !two) {
        oneSpace = !two;
      }
      return line(plain.group(1), plain.group(2), oneSpace ? rest : rest.substring(1));
    }

    private Optional<SumLine> line(String mark, String digits, String name) {
      if (digits.length() != 2 * algorithm.digestBytes()) {
        return Optional.empty();
      }
      String digest = digits.toLowerCase(Locale.ROOT);
      return mark.isEmpty()
          ? Optional.of(new SumLine(digest, name))
          : unescaped(name).map(plain -> new SumLine(digest, plain));
    }

    private static Optional<String> unescaped(String name) {
      StringBuilder plain = new StringBuilder();
      for (int i = 0; i < name.length(); i++) {
        char c = name.charAt(i);
        if (c == '\\') {
          i++;
          int code = i < name.length() ? "\\nr".indexOf(name.charAt(i)) : -1;
          if (code < 0) {
            return Optional.empty();
          }
          c = "\\\n\r".charAt(code);
        }
        plain.append(c);
      }
      return Optional.of(plain.toString());
    }
  }
}
