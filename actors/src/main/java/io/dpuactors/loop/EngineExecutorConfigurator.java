package io.dpuactors.loop;

import com.typesafe.config.Config;
import java.util.concurrent.ThreadFactory;
import org.apache.pekko.dispatch.DispatcherPrerequisites;
import org.apache.pekko.dispatch.ExecutorServiceConfigurator;
import org.apache.pekko.dispatch.ExecutorServiceFactory;

/**
 * Makes a Pekko dispatcher run on one {@link EngineLoop}. {@code dpu.engine-dispatcher.executor}
 * names this class.
 *
 * <p>Pekko shuts an executor down when its last actor has ended, and requests a new one for the
 * next actor. The progress engine is not affected: it belongs to the engine actor, not to the
 * executor.
 */
public final class EngineExecutorConfigurator extends ExecutorServiceConfigurator {
  private final EngineSettings settings;

  /** Creates the configurator. Pekko calls this constructor by reflection. */
  public EngineExecutorConfigurator(Config config, DispatcherPrerequisites prerequisites) {
    super(config, prerequisites);
    settings = EngineSettings.from(prerequisites.settings().config());
  }

  @Override
  public ExecutorServiceFactory createExecutorServiceFactory(
      String id, ThreadFactory threadFactory) {
    return () -> EngineLoop.start(id, settings);
  }
}
