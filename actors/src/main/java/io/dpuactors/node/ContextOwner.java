package io.dpuactors.node;

import io.dpuactors.bridge.DocaError;

/**
 * Receives the lifecycle events of a {@link ContextNode}; implemented by the context's actor.
 * Called on the engine's thread, outside of the actor's message processing. Implementations must
 * only send themselves a message.
 */
public interface ContextOwner {
  /** The context runs. */
  void running();

  /** The context could not be started, or stopped by itself. The node cleans up without help. */
  void failed(DocaError error);

  /** Nothing native is left. */
  void gone();
}
