package io.dpuactors.apps.cli;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A number of bytes in the notation of users: {@code 4096}, {@code 64K}, {@code 1M}, {@code 1MiB},
 * {@code 1.5G}. As in the GNU tools, {@code K} and {@code KiB} are 1024, {@code KB} is 1000.
 */
public record Size(long bytes) {
  private static final Pattern TEXT =
      Pattern.compile("(\\d{1,18}(?:\\.\\d{1,9})?)\\s*([kmgt]?)(i?b)?", Pattern.CASE_INSENSITIVE);
  private static final String UNITS = "kmgt";

  static Size parse(String text) {
    Matcher matcher = TEXT.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a size: write bytes, or 64K, 1M, 1MiB, 2G");
    }
    int power = matcher.group(2).isEmpty() ? 0 : UNITS.indexOf(lower(matcher.group(2))) + 1;
    String suffix = matcher.group(3) == null ? "" : lower(matcher.group(3));
    if (power == 0 && suffix.equals("ib")) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a size: the unit lacks its letter (K, M, G, T)");
    }
    BigDecimal unit = BigDecimal.valueOf(suffix.equals("b") ? 1000 : 1024).pow(power);
    BigDecimal bytes =
        new BigDecimal(matcher.group(1)).multiply(unit).setScale(0, RoundingMode.DOWN);
    if (bytes.signum() <= 0 || bytes.compareTo(BigDecimal.valueOf(1L << 50)) > 0) {
      throw new IllegalArgumentException("'" + text + "' is out of range: from 1 byte to 1024T");
    }
    return new Size(bytes.longValueExact());
  }

  /** Formats bytes with three digits and a unit in powers of 1024. */
  public static String text(long bytes) {
    if (bytes < 1024) {
      return bytes + " B";
    }
    double value = bytes;
    int power = -1;
    while (value >= 1023.5 && power < UNITS.length() - 1) {
      value /= 1024;
      power++;
    }
    String digits =
        value == Math.rint(value)
            ? "%.0f".formatted(value)
            : String.format(
                Locale.ROOT, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
    return digits + " " + Character.toUpperCase(UNITS.charAt(power)) + "iB";
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  /** Converter for picocli. */
  public static final class Converter implements ITypeConverter<Size> {
    @Override
    public Size convert(String value) {
      try {
        return parse(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
