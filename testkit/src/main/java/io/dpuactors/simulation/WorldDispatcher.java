package io.dpuactors.simulation;

import com.typesafe.config.Config;
import io.dpuactors.loop.EngineSettings;
import java.util.concurrent.ThreadFactory;
import org.apache.pekko.dispatch.DispatcherPrerequisites;
import org.apache.pekko.dispatch.ExecutorServiceConfigurator;
import org.apache.pekko.dispatch.ExecutorServiceFactory;

/**
 * Makes a Pekko dispatcher run in the current {@link World}. The {@code executor} of each
 * dispatcher names this class. An engine's dispatcher gets an engine loop.
 */
public final class WorldDispatcher extends ExecutorServiceConfigurator {
  /** Prefix of the dispatchers of engines. */
  static final String ENGINE = "dpu-engine-";

  private final World world = World.current();
  private final EngineSettings settings;

  /** Creates the configurator. Pekko calls this constructor by reflection. */
  public WorldDispatcher(Config config, DispatcherPrerequisites prerequisites) {
    super(config, prerequisites);
    settings = EngineSettings.from(prerequisites.settings().config());
  }

  @Override
  public ExecutorServiceFactory createExecutorServiceFactory(
      String id, ThreadFactory threadFactory) {
    return id.startsWith(ENGINE)
        ? () -> WorldExecutor.ofLoop(world, id, world.addLoop(id, settings))
        : () -> WorldExecutor.create(world, id);
  }
}
