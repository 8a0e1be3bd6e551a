package io.dpuactors.protocol.wire;

import java.io.IOException;

/** A peer has sent something that the protocol does not know; the message says what, for people. */
public class WireException extends IOException {
  private static final long serialVersionUID = 1;

  /** With what is wrong. */
  public WireException(String message) {
    super(message);
  }
}
