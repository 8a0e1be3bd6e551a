package io.dpuactors.context;

import io.dpuactors.node.ContextOpener;
import io.dpuactors.node.EngineCore;
import io.dpuactors.node.LaneSettings;
import io.dpuactors.node.TaskLane;
import io.dpuactors.protocol.DeviceRequest;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * What distinguishes the contexts of one library: their native object, requests and further
 * commands. Each incarnation of a {@link TaskContext} has new parts. Engine's thread.
 */
interface ContextParts {
  /** Creates the native context. */
  ContextOpener.Opened open(EngineCore core, long userData);

  /** Returns the PCI address of the device of the running context. */
  String pciAddress();

  /** Creates the lane of the requests. */
  TaskLane<DeviceRequest> lane(EngineCore core, String name, LaneSettings settings);

  /** Handles a command that is no request to the device. Returns false for an unknown one. */
  boolean handle(Object command);

  /** Handles that the context runs. */
  default void running() {}

  /** Handles the end of a watched actor. */
  default void ended(ActorRef<?> actor) {}

  /** Refuses waiting and later commands, because the context ends. Idempotent. */
  void close();
}
