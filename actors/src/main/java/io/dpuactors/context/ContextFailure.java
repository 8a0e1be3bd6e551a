package io.dpuactors.context;

import io.dpuactors.bridge.DocaError;

/** Failure of a context. The actor of the context throws it, and the supervisor decides. */
public final class ContextFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient DocaError error;

  /** Creates the failure for the error that the context reported. */
  public ContextFailure(DocaError error) {
    super(error.toString());
    this.error = error;
  }

  /** Returns the operation, the code and the subject of the error. */
  public DocaError error() {
    return error;
  }
}
