package io.dpuactors.bridge;

/**
 * An environment variable of the software DPU has an invalid value. The message names the variable,
 * its value, and the valid values.
 */
public final class InvalidSettingException extends RuntimeException {
  private static final long serialVersionUID = 1;

  InvalidSettingException(String message) {
    super(message);
  }
}
