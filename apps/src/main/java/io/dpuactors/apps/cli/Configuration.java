package io.dpuactors.apps.cli;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigResolveOptions;
import io.dpuactors.bridge.LibraryChoice;
import io.dpuactors.loop.ConfigKeys;
import io.dpuactors.loop.EngineSettings;
import java.util.function.Supplier;

/**
 * Loads the program's configuration. The first source with a key wins:
 *
 * <ol>
 *   <li>system properties ({@code -Ddpu.x=y}),
 *   <li>the file of {@code -Dconfig.file},
 *   <li>defaults for short-lived programs,
 *   <li>each module's {@code reference.conf}.
 * </ol>
 */
public final class Configuration {
  /**
   * Defaults for a program that stops without a request and has a signal hook. The stdout of such a
   * program carries only its output.
   */
  private static final String SHORT_LIVED =
      """
      # The engine's thread registers memory when a file needs it. No other actor waits then.
      dpu.engine.stall-warning = 10s
      # Limits for silent peers: they must not take all connections of a server, nor let a client wait forever.
      dpu.comch.server.first-request-deadline = 30s
      dpu.comch.client.first-answer-deadline = 10s
      pekko {
        loglevel = WARNING
        stdout-loglevel = OFF
        log-dead-letters = off
        log-dead-letters-during-shutdown = off
        jvm-shutdown-hooks = off
        coordinated-shutdown.run-by-jvm-shutdown-hook = off
        # Pekko starts these extensions (serialization, receptionist) for remote actors. They delay the start.
        library-extensions = []
        # Pekko starts threads up to this number before it reuses one. A batch and its file need two.
        actor.default-blocking-io-dispatcher.thread-pool-executor.fixed-pool-size = 4
        # The scheduler's thread wakes once per tick, also without timers. The default, 100 ticks per second, takes a quarter of an
        # idle server's processor time. Timers here are rare (a restart, a full queue) or long (deadlines of replies). An
        # engine has separate timers for its deadlines and retries.
        scheduler.tick-duration = 50ms
      }
      """;

  private Configuration() {}

  /** Returns the complete configuration for an actor system. */
  public static Config load() throws ConfigurationError {
    return load(ConfigFactory.empty());
  }

  /**
   * Returns the complete configuration for an actor system.
   *
   * @param defaults defaults of a program, above those of short-lived programs
   */
  public static Config load(Config defaults) throws ConfigurationError {
    try {
      ConfigFactory.invalidateCaches();
      Config config =
          ConfigFactory.load(
              ConfigFactory.defaultApplication()
                  .withFallback(defaults)
                  .withFallback(ConfigFactory.parseString(SHORT_LIVED)));
      EngineSettings.from(config);
      return config;
    } catch (ConfigException | IllegalArgumentException e) {
      throw new ConfigurationError(e);
    }
  }

  /** Returns a configuration of a function that checks its values. */
  public static Config checked(Supplier<Config> source) throws ConfigurationError {
    try {
      return source.get();
    } catch (ConfigException | IllegalArgumentException e) {
      throw new ConfigurationError(e);
    }
  }

  /**
   * Returns a number of blocks or tasks in flight.
   *
   * @param key as in {@code dpu.compress.window}
   */
  public static int window(Config config, String key) throws ConfigurationError {
    try {
      int window = config.getInt(key);
      if (window < 1) {
        throw new IllegalArgumentException(key + " is " + window + "; it must be at least 1");
      }
      return window;
    } catch (ConfigException | IllegalArgumentException e) {
      throw new ConfigurationError(e);
    }
  }

  /**
   * Returns the configured library. Listing devices needs no other key, so this method does not
   * read the modules' defaults.
   */
  public static LibraryChoice library() throws ConfigurationError {
    try {
      ConfigFactory.invalidateCaches();
      Config config =
          ConfigFactory.defaultOverrides()
              .withFallback(ConfigFactory.defaultApplication())
              .resolve(ConfigResolveOptions.defaults().setAllowUnresolved(true));
      if (!config.isResolved()) { // a value refers to the modules' defaults
        config = load();
      }
      ConfigKeys.check(config);
      return config.hasPath("dpu.library")
          ? LibraryChoice.parse(config.getString("dpu.library"))
          : LibraryChoice.AUTO;
    } catch (ConfigException | IllegalArgumentException e) {
      throw new ConfigurationError(e);
    }
  }

  /** The configuration is invalid. The message names the file and line if known. */
  public static final class ConfigurationError extends Exception {
    private static final long serialVersionUID = 1;

    public ConfigurationError(RuntimeException cause) {
      super(
          "configuration: " + String.valueOf(cause.getMessage()).lines().findFirst().orElse(""),
          cause);
    }
  }
}
