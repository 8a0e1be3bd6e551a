package io.dpuactors.node;

import io.dpuactors.bridge.DocaError;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the owner of a context is told of it, until it is not to hear of it any more. That the
 * context broke may have to wait for what came before. Engine's thread.
 */
final class OwnerNews {
  private @Nullable ContextOwner owner;

  /** Why the context broke, until the owner is told. */
  private @Nullable DocaError untold;

  OwnerNews(ContextOwner owner) {
    this.owner = owner;
  }

  void running() {
    tell(ContextOwner::running);
  }

  void failed(DocaError error) {
    tell(listener -> listener.failed(error));
  }

  void gone() {
    tell(ContextOwner::gone);
  }

  /** The context broke, which {@link #tellBroken} tells. */
  void broken(DocaError error) {
    untold = error;
  }

  /** Tells that the context broke, if it did and that is not told yet. */
  void tellBroken() {
    DocaError error = untold;
    if (error != null) {
      untold = null;
      failed(error);
    }
  }

  /** The owner is no more. */
  void abandon() {
    owner = null;
    untold = null;
  }

  private void tell(Consumer<ContextOwner> event) {
    if (owner != null) {
      event.accept(owner);
    }
  }
}
