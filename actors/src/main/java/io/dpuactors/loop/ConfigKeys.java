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
 * The valid keys below {@code dpu}: those of the {@code reference.conf} files on the class path,
 * plus Pekko's dispatcher keys for the engine dispatcher. No code reads any other key. Any thread.
 */
public final class ConfigKeys {
  static final String ROOT = "dpu";
  private static final String DISPATCHER = "engine-dispatcher.";
  private static final String PEKKO_DISPATCHER = "pekko.actor.default-dispatcher";
  private static final String PROPERTY_ORIGIN = "system properties";

  /**
   * System properties of the launcher, the build and the tests. These properties are not
   * configuration keys.
   */
  private static final Set<String> PROPERTIES =
      Set.of(
          "home",
          "lease.debug",
          "log.level",
          "native",
          "program",
          "root",
          "short-options",
          "test.long",
          "warnings");

  private ConfigKeys() {}

  /**
   * Refuses unknown keys.
   *
   * @param config the whole configuration, or any part of it that is resolved
   * @throws IllegalArgumentException naming the first unknown key, its origin, and the most similar
   *     known key
   */
  public static void check(Config config) {
    Map<String, ConfigOrigin> given = given(config);
    if (given.isEmpty()) {
      return; // no reference.conf needed
    }
    // If a value replaces a whole section, the reader of that section refuses it.
    given.keySet().removeIf(key -> Defaults.KEYS.contains(key) || Defaults.CONFIG.hasPath(key));
    if (!given.isEmpty()) {
      checkUnusual(given, config);
    }
  }

  /** Refuses keys that are neither defaults nor of Pekko's dispatchers. */
  private static void checkUnusual(Map<String, ConfigOrigin> given, Config config) {
    Set<String> known = new TreeSet<>(Defaults.KEYS);
    if (config.hasPath(PEKKO_DISPATCHER)) {
      keys(config.getConfig(PEKKO_DISPATCHER)).forEach(key -> known.add(DISPATCHER + key));
    }
    given.forEach(
        (key, origin) -> {
          if (!known.contains(key)) {
            throw new IllegalArgumentException(unknownKey(key, origin, known));
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
   * Returns the defaults below {@code dpu}. Unlike {@code ConfigFactory.defaultReference}, they
   * exclude the system properties.
   */
  static Config defaults() {
    return Defaults.CONFIG;
  }

  /** Read once: the class path does not change. */
  private static final class Defaults {
    static final Config CONFIG =
        ConfigFactory.defaultReferenceUnresolved(ConfigKeys.class.getClassLoader())
            .resolve()
            .getConfig(ROOT);
    static final Set<String> KEYS = keys(CONFIG);
  }

  private static Set<String> keys(Config config) {
    Set<String> keys = new TreeSet<>();
    config.entrySet().forEach(entry -> keys.add(entry.getKey()));
    return keys;
  }

  private static String unknownKey(String key, ConfigOrigin origin, Set<String> known) {
    String what = "%s: there is no key %s.%s".formatted(origin.description(), ROOT, key);
    return PROPERTIES.contains(key)
        ? "%s; it is a system property: -D%s.%s=...".formatted(what, ROOT, key)
        : NearestWord.to(key, known)
            .map(near -> "%s; did you mean %s.%s?".formatted(what, ROOT, near))
            .orElse(what);
  }
}
