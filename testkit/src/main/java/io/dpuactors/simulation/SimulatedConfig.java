package io.dpuactors.simulation;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.pekko.dispatch.ExecutorServiceConfigurator;

/** The configuration of a simulated actor system. */
final class SimulatedConfig {
  /** No settings of a user. */
  static final Config NONE = ConfigFactory.empty();

  private static final String TYPE = "type";
  private static final String EXECUTOR = "executor";

  /** The names of Pekko's types of dispatchers. */
  private static final Set<String> TYPES = Set.of("Dispatcher", "PinnedDispatcher");

  /** The dispatcher of the simulation; see {@code simulation.conf}. */
  private static final String DISPATCHER = "dispatcher";

  private SimulatedConfig() {}

  /**
   * Returns the settings of the simulation, then those of the user, then the defaults. The user's
   * dispatchers run in the simulation.
   */
  static Config of(Config user) {
    Config simulation = ConfigFactory.parseResources(SimulatedConfig.class, "/simulation.conf");
    Config defaults = ConfigFactory.defaultReference();
    Config known = user.resolveWith(user.withFallback(defaults).resolve());
    Config dispatchers = ConfigFactory.empty();
    for (String path : dispatchers(known.root(), List.of())) {
      dispatchers = dispatchers.withValue(path, simulation.getValue(DISPATCHER));
    }
    return simulation
        .withFallback(dispatchers)
        .withFallback(known)
        .withFallback(defaults)
        .resolve();
  }

  /** Returns the paths of the dispatchers of the object, which is at the parent's path. */
  private static List<String> dispatchers(ConfigObject object, List<String> parent) {
    List<String> found = new ArrayList<>();
    for (Map.Entry<String, ConfigValue> member : object.entrySet()) {
      if (member.getValue() instanceof ConfigObject child) {
        List<String> path = new ArrayList<>(parent);
        path.add(member.getKey());
        if (isDispatcher(child)) {
          found.add(ConfigUtil.joinPath(path));
        } else {
          found.addAll(dispatchers(child, path));
        }
      }
    }
    return found;
  }

  /** Pekko adds the type or the executor of the default dispatcher to one that has none. */
  private static boolean isDispatcher(ConfigObject object) {
    return (object.containsKey(TYPE) && object.containsKey(EXECUTOR))
        || TYPES.contains(text(object, TYPE))
        || isExecutor(text(object, EXECUTOR));
  }

  /** Returns whether Pekko knows an executor of this name, or creates one by this class. */
  private static boolean isExecutor(String name) {
    if (name.endsWith("-executor")) {
      return true;
    }
    try {
      Class<?> type = Class.forName(name, false, SimulatedConfig.class.getClassLoader());
      return ExecutorServiceConfigurator.class.isAssignableFrom(type);
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  /** Returns a value as text; empty if there is none. */
  private static String text(ConfigObject object, String key) {
    ConfigValue value = object.get(key);
    return value == null ? "" : String.valueOf(value.unwrapped());
  }
}
