package io.dpuactors.loop;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import java.math.BigDecimal;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Checks the types of the values below {@code dpu}. If the default is a number, the value must be a
 * whole number; if it is a duration, a duration. Neither may be negative. The readers of the values
 * check their ranges. Any thread.
 */
final class ConfigValues {
  private static final Pattern DURATION = Pattern.compile("\\d+(ns|us|ms|s|m|h|d)");

  private static final SortedMap<String, Object> DEFAULTS = defaults();

  private ConfigValues() {}

  /**
   * Refuses values of the wrong type.
   *
   * @param config the whole configuration
   * @throws ConfigException naming the first such key and the origin of its value
   * @throws IllegalArgumentException naming the first key whose number is negative or has a
   *     fraction
   */
  static void check(Config config) {
    DEFAULTS.forEach((key, usual) -> check(config, key, usual));
  }

  /**
   * Does {@link #check(Config)} for some keys.
   *
   * @param part has these keys
   */
  static void check(Config config, Config part) {
    part.entrySet().stream()
        .map(Map.Entry::getKey)
        .sorted()
        .forEach(
            key -> {
              Object usual = DEFAULTS.get(key);
              if (usual != null) {
                check(config, key, usual);
              }
            });
  }

  private static SortedMap<String, Object> defaults() {
    SortedMap<String, Object> defaults = new TreeMap<>();
    ConfigKeys.defaults()
        .entrySet()
        .forEach(
            entry ->
                defaults.put(ConfigKeys.ROOT + "." + entry.getKey(), entry.getValue().unwrapped()));
    return defaults;
  }

  private static void check(Config config, String path, Object usual) {
    if (usual instanceof Number) {
      int number = config.getInt(path);
      refuse(!isWhole(config.getString(path), number), config, path, "must be a whole number");
      refuse(number < 0, config, path, "must not be negative");
    } else if (DURATION.matcher(usual.toString()).matches()) {
      refuse(config.getDuration(path).isNegative(), config, path, "must not be negative");
    }
  }

  /** Returns whether the text is the number. {@code getInt} truncates fractions, and reads NaN. */
  private static boolean isWhole(String text, int number) {
    try {
      return new BigDecimal(text).compareTo(BigDecimal.valueOf(number)) == 0;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static void refuse(boolean wrong, Config config, String path, String why) {
    if (wrong) {
      throw new IllegalArgumentException(
          "%s: %s is '%s'; it %s"
              .formatted(
                  config.getValue(path).origin().description(), path, config.getString(path), why));
    }
  }
}
