package io.dpuactors.fleet;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import java.util.List;

/** The configuration of the members of a fleet. */
public final class FleetConfig {
  private FleetConfig() {}

  /**
   * Returns Pekko's settings for members. They are defaults: put the user's configuration above
   * them.
   */
  public static Config defaults() {
    return ConfigFactory.parseResources(FleetConfig.class.getClassLoader(), "fleet.conf");
  }

  /**
   * Returns the configuration of a node.
   *
   * @param config a complete configuration with {@link #defaults}
   * @param port TCP port; 0: any free port
   * @throws IllegalArgumentException if a key has an unsuitable value, or the files of TLS are
   *     unsuitable
   */
  public static Config node(Config config, int port) {
    FleetSettings settings = FleetSettings.from(config);
    return member(config, port)
        .withValue("pekko.cluster.roles", value(List.of(Fleet.NODE)))
        .withValue(
            "pekko.coordinated-shutdown.phases.service-requests-done.timeout",
            value(settings.drainPhase().toMillis() + "ms"))
        .withValue(
            "pekko.reliable-delivery.consumer-controller.flow-control-window",
            value(settings.window()));
  }

  /**
   * Returns the configuration of a client.
   *
   * @param config a complete configuration with {@link #defaults}
   * @throws IllegalArgumentException as for a node
   */
  public static Config client(Config config) {
    FleetSettings settings = FleetSettings.from(config);
    return member(config, 0)
        .withValue("pekko.cluster.roles", value(List.of("client")))
        .withValue(
            "dpu.engine.open-deadline", // the answer comes after the search for nodes
            value(settings.joinDeadline().plusSeconds(10).toMillis() + "ms"));
  }

  /** Returns a configuration with other seeds. */
  public static Config withSeeds(Config config, List<HostPort> seeds) {
    return config.withValue(
        "dpu.fleet.seeds", value(seeds.stream().map(HostPort::toString).toList()));
  }

  private static Config member(Config config, int port) {
    return FleetTls.apply(config)
        .withValue(
            "pekko.remote.artery.canonical.hostname", value(config.getString("dpu.fleet.host")))
        .withValue("pekko.remote.artery.canonical.port", value(port));
  }

  private static ConfigValue value(Object value) {
    return ConfigValueFactory.fromAnyRef(value);
  }
}
