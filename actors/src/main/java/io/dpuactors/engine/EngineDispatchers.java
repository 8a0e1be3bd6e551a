package io.dpuactors.engine;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.dpuactors.loop.EngineSettings;
import io.dpuactors.loop.LosslessMailbox;
import io.dpuactors.loop.ThreadSettings;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.dispatch.DispatcherConfigurator;
import org.apache.pekko.dispatch.Dispatchers;

/** Creates one dispatcher per engine from {@code dpu.engine-dispatcher}. */
final class EngineDispatchers {
  private static final String TEMPLATE = "dpu.engine-dispatcher";

  private EngineDispatchers() {}

  /**
   * Returns the dispatcher and the mailbox of the engine with this name: one thread, named after
   * the engine. Registers the dispatcher on the first call.
   *
   * @param name unique among the engines of the actor system
   * @throws IllegalArgumentException if the configuration of engines is invalid
   */
  static Props select(ActorSystem<?> system, String name) {
    String id = "dpu-engine-" + name;
    Dispatchers dispatchers = Adapter.toClassic(system).dispatchers();
    if (!dispatchers.hasDispatcher(id)) {
      Config root = system.settings().config();
      EngineSettings.from(root);
      ThreadSettings.from(root);
      Config config =
          ConfigFactory.parseMap(Map.of("id", id, "name", id))
              .withFallback(root.getConfig(TEMPLATE))
              .withFallback(root.getConfig("pekko.actor.default-dispatcher"));
      dispatchers.registerConfigurator(
          id, new DispatcherConfigurator(config, dispatchers.prerequisites()));
    }
    return LosslessMailbox.of(DispatcherSelector.fromConfig(id));
  }

  /** Returns the same for the guardian of a system, which does not exist yet. */
  static Props ofGuardian() {
    return LosslessMailbox.of(DispatcherSelector.fromConfig(TEMPLATE));
  }
}
