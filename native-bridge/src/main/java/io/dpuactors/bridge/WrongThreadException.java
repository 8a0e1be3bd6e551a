package io.dpuactors.bridge;

/**
 * Another than the owning thread touched an engine or what belongs to it. The message names both.
 */
public final class WrongThreadException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  WrongThreadException(String operation, Thread owner, Thread caller) {
    super(
        operation
            + ": called on thread '"
            + caller.getName()
            + "', but the progress engine belongs to thread '"
            + owner.getName()
            + "'");
  }
}
