package io.dpuactors.encrypted;

import java.io.IOException;

/** A file is no encrypted file, is truncated, or has a newer version. */
public final class EncryptedFormatException extends IOException {
  private static final long serialVersionUID = 1;

  /** Creates an exception with a message for users. */
  public EncryptedFormatException(String message) {
    super(message);
  }
}
