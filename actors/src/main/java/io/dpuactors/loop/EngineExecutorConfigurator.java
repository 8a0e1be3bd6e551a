package io.dpuactors.loop;

import com.typesafe.config.Config;
import java.util.concurrent.ThreadFactory;
import org.apache.pekko.dispatch.DispatcherPrerequisites;
import org.apache.pekko.dispatch.ExecutorServiceConfigurator;
import org.apache.pekko.dispatch.ExecutorServiceFactory;

/**
 * Makes a Pekko dispatcher run on one {@link EngineLoop}; named by {@code
 * dpu.engine-dispatcher.executor}.
 *
 * <p>Pekko shuts an executor down when its last actor has gone, and asks for a new one when an
 * actor comes again. The progress engine is not affected: it belongs to the engine actor, not to
 * the executor.
 */
public final class EngineExecutorConfigurator extends ExecutorServiceConfigurator {
  private final EngineSettings settings;

  /** Called by Pekko, by reflection. */
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
