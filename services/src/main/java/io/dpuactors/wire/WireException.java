package io.dpuactors.wire;

import java.io.IOException;

/** A peer has sent a message that violates the protocol; the exception's message describes it. */
public class WireException extends IOException {
  private static final long serialVersionUID = 1;

  /** Creates an exception with a description of the violation. */
  public WireException(String message) {
    super(message);
  }
}
