package io.dpuactors.simulation;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The configuration of a simulated actor system. */
final class SimulatedConfig {
  /** No settings of a user. */
  static final Config NONE = ConfigFactory.empty();

  private static final String TYPE = "type";
  private static final String EXECUTOR = "executor";

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
        if (child.containsKey(TYPE) && child.containsKey(EXECUTOR)) {
          found.add(ConfigUtil.joinPath(path));
        } else {
          found.addAll(dispatchers(child, path));
        }
      }
    }
    return found;
  }
}
