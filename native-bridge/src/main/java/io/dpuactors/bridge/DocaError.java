package io.dpuactors.bridge;

import java.io.Serializable;

/**
 * A DOCA call that did not succeed.
 *
 * @param operation the function that answered, such as {@code doca_ctx_start}
 * @param code what it answered
 * @param raw the number that it answered; differs from the code's when the code is not known
 * @param about what it was about, such as {@code compress on 0000:03:00.0}; may be empty
 */
public record DocaError(String operation, DocaCode code, int raw, String about)
    implements Serializable {

  /** An error from the number that a call answered. */
  public static DocaError of(String operation, int raw, String about) {
    return new DocaError(operation, DocaCode.of(raw), raw, about);
  }

  /** As in {@code doca_ctx_start: DOCA_ERROR_NOT_CONNECTED (14): compress on 0000:03:00.0}. */
  @Override
  public String toString() {
    String answer = operation + ": " + code.docaName() + " (" + raw + ")";
    return about.isEmpty() ? answer : answer + ": " + about;
  }
}
