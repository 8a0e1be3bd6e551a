package io.dpuactors.node;

import io.dpuactors.bridge.DocaError;

/**
 * Whom a {@link ContextNode} tells of its life: the context's actor. Called on the engine's thread,
 * outside of the actor's message processing: implementations send themselves a message and do
 * nothing else.
 */
public interface ContextOwner {
  /** The context runs. */
  void running();

  /** The context could not be started, or stopped by itself. The node cleans up on its own. */
  void failed(DocaError error);

  /** Nothing native is left. */
  void gone();
}
