package io.dpuactors.context;

import com.typesafe.config.Config;
import io.dpuactors.node.EngineCore;
import io.dpuactors.protocol.CompressOptions;
import io.dpuactors.protocol.CompressProtocol;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;

/**
 * A {@code doca_compress} context as a supervised child of its engine. {@link TaskContext}
 * describes its lifecycle.
 */
public final class CompressContext {
  private CompressContext() {}

  /**
   * Returns the behavior of a compress context under its supervisor strategy.
   *
   * @param root the whole configuration
   * @param core of the parent engine
   * @param engine receives an event when the context runs or fails to start
   * @throws IllegalArgumentException naming an option that is out of range
   */
  public static Behavior<CompressProtocol.Command> supervised(
      Config root, EngineCore core, CompressOptions options, ActorRef<ContextEvent> engine) {
    return TaskContext.supervised(CompressLibrary.INSTANCE, root, core, options, engine).narrow();
  }
}
