package io.dpuactors.file;

import java.io.IOException;

/** A key file cannot be used. The message names the file and the reason. */
public final class KeyFileException extends IOException {
  private static final long serialVersionUID = 1;

  KeyFileException(String message) {
    super(message);
  }
}
