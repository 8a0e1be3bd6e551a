package io.dpuactors.loop;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import java.math.BigDecimal;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What the values below {@code dpu} have to be: where the default is a number, a whole number, and
 * where it is a duration, a duration; neither is below zero. Whether a value makes sense beyond
 * that is for those to say who use it. Any thread.
 */
final class ConfigValues {
  private static final Pattern DURATION = Pattern.compile("\\d+(ns|us|ms|s|m|h|d)");

  private ConfigValues() {}

  /**
   * Refuses what cannot be read.
   *
   * @param config the whole configuration
   * @throws ConfigException naming the first such key, and where its value comes from
   */
  static void check(Config config) {
    ConfigKeys.defaults().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(
            entry ->
                check(
                    config, ConfigKeys.ROOT + "." + entry.getKey(), entry.getValue().unwrapped()));
  }

  private static void check(Config config, String path, Object usual) {
    if (usual instanceof Number) {
      int number = config.getInt(path);
      // A fraction would be cut off in silence.
      boolean whole =
          new BigDecimal(config.getString(path)).compareTo(BigDecimal.valueOf(number)) == 0;
      refuse(!whole, config, path, "must be a whole number");
      refuse(number < 0, config, path, "must not be negative");
    } else if (DURATION.matcher(usual.toString()).matches()) {
      refuse(config.getDuration(path).isNegative(), config, path, "must not be negative");
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
