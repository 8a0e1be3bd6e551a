package io.dpuactors.node;

import io.dpuactors.bridge.DocaError;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Notifies the owner of a node until {@link #close}. The failure of the context is reported after
 * the data that preceded it. Engine's thread.
 */
final class OwnerNotifier {
  private @Nullable ContextOwner owner;

  /** Failure of the context that has not been reported yet. */
  private @Nullable DocaError unreported;

  /** Sets the owner, which receives all further notifications. */
  void own(ContextOwner newOwner) {
    owner = newOwner;
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

  /** Records a failure for {@link #reportFailure}. */
  void broken(DocaError error) {
    unreported = error;
  }

  /** Reports the recorded failure, if there is one. Reports it once. */
  void reportFailure() {
    DocaError error = unreported;
    if (error != null) {
      unreported = null;
      failed(error);
    }
  }

  /** Drops all further notifications, because the owner has ended. */
  void close() {
    owner = null;
    unreported = null;
  }

  private void tell(Consumer<ContextOwner> event) {
    if (owner != null) {
      event.accept(owner);
    }
  }
}
