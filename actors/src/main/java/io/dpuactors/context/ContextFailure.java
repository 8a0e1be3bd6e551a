package io.dpuactors.context;

import io.dpuactors.bridge.DocaError;

/** A context is broken: thrown inside its actor, for the supervisor to decide. */
public final class ContextFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient DocaError error;

  /** Carries the error that broke the context. */
  public ContextFailure(DocaError error) {
    super(error.toString());
    this.error = error;
  }

  /** Operation, code and what it was about. */
  public DocaError error() {
    return error;
  }
}
