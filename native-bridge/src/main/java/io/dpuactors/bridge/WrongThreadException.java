package io.dpuactors.bridge;

/**
 * A thread other than the owner called an engine or one of its objects. The message names both
 * threads.
 */
public final class WrongThreadException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception for an operation that another thread than the owner has called. */
  public WrongThreadException(String operation, Thread owner, Thread caller) {
    super(
        operation
            + ": called on thread '"
            + caller.getName()
            + "', but the progress engine belongs to thread '"
            + owner.getName()
            + "'");
  }
}
