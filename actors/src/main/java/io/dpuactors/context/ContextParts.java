package io.dpuactors.context;

import io.dpuactors.node.ContextOpener;
import io.dpuactors.node.EngineCore;
import io.dpuactors.node.LaneSettings;
import io.dpuactors.node.TaskLane;
import io.dpuactors.protocol.DeviceRequest;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * The parts of a context of tasks that depend on its library: native object, requests and further
 * commands. Each incarnation of a {@link TaskContext} has new parts. Engine's thread.
 */
interface ContextParts extends ContextLife.Parts {
  /** Creates the native context. */
  ContextOpener.Opened open(EngineCore core, long userData);

  /** Creates the lane of the requests. */
  TaskLane<DeviceRequest> lane(EngineCore core, String name, LaneSettings settings);

  /** Handles a command that is no request to the device. Returns false for an unknown one. */
  boolean handle(Object command);

  @Override
  default void stop() {
    close();
  }

  /** {@inheritDoc} It owned objects of the tasks. */
  @Override
  default void forget(ActorRef<?> owner) {}

  /** {@inheritDoc} A context of tasks has no children. */
  @Override
  default boolean isEmpty() {
    return true;
  }

  /** Refuses waiting and later commands, because the context ends. Idempotent. */
  @Override
  void close();
}
