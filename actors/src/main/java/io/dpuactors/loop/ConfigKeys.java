package io.dpuactors.loop;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigValue;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The keys below {@code dpu}: those of the {@code reference.conf} files on the class path, and for
 * the engines' dispatcher what Pekko knows of dispatchers. Nobody would read any other. Any thread.
 */
public final class ConfigKeys {
  static final String ROOT = "dpu";
  private static final String DISPATCHER = "engine-dispatcher.";
  private static final String PEKKO_DISPATCHER = "pekko.actor.default-dispatcher";
  private static final String PROPERTY_ORIGIN = "system properties";

  /** Of the launcher, the build and the tests: read as system properties, and nowhere else. */
  private static final Set<String> PROPERTIES =
      Set.of("home", "lease.debug", "log.level", "root", "short-options", "test.long", "warnings");

  private ConfigKeys() {}

  /**
   * Refuses what nobody would read.
   *
   * @param config the whole configuration, or any part of it that is resolved
   * @throws IllegalArgumentException naming the first such key, where it comes from, and the key
   *     that may have been meant
   */
  public static void check(Config config) {
    Map<String, ConfigOrigin> given = given(config);
    if (given.isEmpty()) {
      return; // without having read a reference.conf
    }
    Config reference = defaults();
    Set<String> known = keys(reference);
    if (config.hasPath(PEKKO_DISPATCHER)) {
      keys(config.getConfig(PEKKO_DISPATCHER)).forEach(key -> known.add(DISPATCHER + key));
    }
    given.forEach(
        (key, origin) -> {
          // What is given instead of a whole section is somebody else's to refuse.
          if (!known.contains(key) && !reference.hasPath(key)) {
            throw new IllegalArgumentException(complaint(key, origin, known));
          }
        });
  }

  private static Map<String, ConfigOrigin> given(Config config) {
    Map<String, ConfigOrigin> given = new TreeMap<>();
    if (config.hasPath(ROOT)) {
      for (Map.Entry<String, ConfigValue> entry : config.getConfig(ROOT).entrySet()) {
        ConfigOrigin origin = entry.getValue().origin();
        if (!isProperty(entry.getKey(), origin)) {
          given.put(entry.getKey(), origin);
        }
      }
    }
    return given;
  }

  private static boolean isProperty(String key, ConfigOrigin origin) {
    return PROPERTIES.contains(key) && origin.description().equals(PROPERTY_ORIGIN);
  }

  /**
   * What is below {@code dpu} by default, and nothing else: {@code ConfigFactory.defaultReference}
   * has the system properties, too.
   */
  static Config defaults() {
    return ConfigFactory.defaultReferenceUnresolved(ConfigKeys.class.getClassLoader())
        .getConfig(ROOT);
  }

  private static Set<String> keys(Config config) {
    Set<String> keys = new TreeSet<>();
    config.entrySet().forEach(entry -> keys.add(entry.getKey()));
    return keys;
  }

  private static String complaint(String key, ConfigOrigin origin, Set<String> known) {
    String what = "%s: there is no key %s.%s".formatted(origin.description(), ROOT, key);
    return PROPERTIES.contains(key)
        ? "%s; it is a system property: -D%s.%s=...".formatted(what, ROOT, key)
        : NearestWord.to(key, known)
            .map(near -> "%s; is %s.%s meant?".formatted(what, ROOT, near))
            .orElse(what);
  }
}
