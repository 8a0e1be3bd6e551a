package io.dpuactors.context;

import com.typesafe.config.Config;
import io.dpuactors.node.EngineCore;
import io.dpuactors.protocol.DmaOptions;
import io.dpuactors.protocol.DmaProtocol;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;

/**
 * A {@code doca_dma} context as a supervised actor, child of its engine; {@link TaskContext} says
 * how it lives.
 *
 * <p>DOCA takes a DMA context down when a copy fails. The failed copy is answered with its error,
 * so are those that the device held with it, and the supervisor restarts the actor.
 */
public final class DmaContext {
  private DmaContext() {}

  /**
   * The behavior of a DMA context under its supervisor strategy.
   *
   * @param root the whole configuration
   * @param core of the engine whose child this will be
   * @param engine learns when the context runs or cannot
   * @throws IllegalArgumentException naming an option that is out of range
   */
  public static Behavior<DmaProtocol.Command> supervised(
      Config root, EngineCore core, DmaOptions options, ActorRef<ContextEvent> engine) {
    return TaskContext.supervised(DmaLibrary.INSTANCE, root, core, options, engine).narrow();
  }
}
