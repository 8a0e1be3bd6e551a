package io.dpuactors.context;

import com.typesafe.config.Config;
import io.dpuactors.node.EngineCore;
import io.dpuactors.protocol.DmaOptions;
import io.dpuactors.protocol.DmaProtocol;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;

/**
 * A {@code doca_dma} context as a supervised child of its engine. {@link TaskContext} describes its
 * lifecycle.
 *
 * <p>A failed copy stops the DMA context in DOCA. The failed copy and all other copies on the
 * device are answered with their errors. Then the supervisor restarts the actor.
 */
public final class DmaContext {
  private DmaContext() {}

  /**
   * Returns the behavior of a DMA context under its supervisor strategy.
   *
   * @param root the whole configuration
   * @param core of the parent engine
   * @param engine receives an event when the context runs or fails to start
   * @throws IllegalArgumentException naming an option that is out of range
   */
  public static Behavior<DmaProtocol.Command> supervised(
      Config root, EngineCore core, DmaOptions options, ActorRef<ContextEvent> engine) {
    return TaskContext.supervised(DmaLibrary.INSTANCE, root, core, options, engine).narrow();
  }
}
