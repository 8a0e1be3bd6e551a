package io.dpuactors.fleet;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import java.io.IOException;
import java.util.List;

/** The configuration of the members of a fleet. */
public final class FleetConfig {
  private static final String SEED_TIMEOUT = "pekko.cluster.seed-node-timeout";

  /** A first seed without an answer of the others never begins a second fleet. */
  private static final String NEVER = "3650d";

  private static final int ANY_PORT = 1;

  private FleetConfig() {}

  /**
   * Returns the settings of Pekko and of engines for members. The settings are defaults: put the
   * user's configuration above them.
   */
  public static Config defaults() {
    return ConfigFactory.parseResources(FleetConfig.class.getClassLoader(), "fleet.conf");
  }

  /**
   * Returns the members that a node contacts, for {@link #node} and {@link FleetNode#create}: those
   * that the user names, then those of its last run. A node that is the first of them begins a
   * fleet when each of the others answers that it is in none.
   *
   * @param config a complete configuration with {@link #defaults}
   * @param port TCP port; 0: any free port
   * @param join members that the user names; empty and no last run: the node begins a fleet
   * @throws IOException if the file of the last run cannot be read
   */
  public static List<HostPort> seeds(Config config, int port, List<HostPort> join)
      throws IOException {
    HostPort self = self(config, port);
    KnownMembers last = KnownMembers.of(config, self);
    return KnownMembers.contacts(self, join, last == null ? List.of() : last.read());
  }

  /** Returns the address of a member. An IPv6 address is in brackets, as in {@link HostPort}. */
  static HostPort self(Config config, int port) {
    String host = config.getString("dpu.fleet.host");
    boolean isBareIpv6 = host.contains(":") && !host.startsWith("[");
    return new HostPort(isBareIpv6 ? "[" + host + "]" : host, port);
  }

  /**
   * Returns the configuration of a node.
   *
   * @param config a complete configuration with {@link #defaults}
   * @param port TCP port; 0: any free port
   * @param seeds members that the node contacts
   * @throws IllegalArgumentException if a key has an unsuitable value, or the files of TLS are
   *     unsuitable
   */
  public static Config node(Config config, int port, List<HostPort> seeds) {
    FleetSettings settings = FleetSettings.from(config);
    boolean isFirst = seeds.size() > 1 && seeds.get(0).equals(self(config, port));
    Config base = isFirst ? config.withValue(SEED_TIMEOUT, value(NEVER)) : config;
    return member(base, port)
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
   * @throws IllegalArgumentException as for a node, or if the client names no member
   */
  public static Config client(Config config) {
    FleetSettings settings = FleetSettings.from(config);
    if (settings.seeds().isEmpty()) { // the client would begin a fleet
      throw new IllegalArgumentException(
          "dpu.fleet.seeds is empty; it must name a member of the fleet");
    }
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
    String host = host(config);
    return FleetTls.apply(config)
        .withValue("pekko.remote.artery.canonical.hostname", value(host))
        .withValue("pekko.remote.artery.canonical.port", value(port));
  }

  /** Returns the host of a member. Other members cannot answer to a host that Pekko cannot read. */
  private static String host(Config config) {
    try {
      return HostPort.parse(self(config, ANY_PORT).toString()).host();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "dpu.fleet.host is '%s'; it must be an IP address, or a name of letters, digits, dots and hyphens"
              .formatted(config.getString("dpu.fleet.host")),
          e);
    }
  }

  private static ConfigValue value(Object value) {
    return ConfigValueFactory.fromAnyRef(value);
  }
}
