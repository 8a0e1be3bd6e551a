package io.dpuactors.bridge;

import java.io.Serializable;

/**
 * A failed DOCA call.
 *
 * @param operation the function, such as {@code doca_ctx_start}
 * @param code its result
 * @param raw its result as a number; differs from the code's number for an unknown code
 * @param about the subject, such as {@code compress on 0000:03:00.0}; may be empty
 */
public record DocaError(String operation, DocaCode code, int raw, String about)
    implements Serializable {

  /** Creates an error from the result of a call. */
  public static DocaError of(String operation, int raw, String about) {
    return new DocaError(operation, DocaCode.of(raw), raw, about);
  }

  /** Creates an error with a code that no call has returned. */
  public static DocaError of(String operation, DocaCode code, String about) {
    return new DocaError(operation, code, code.value(), about);
  }

  /**
   * Returns a text such as {@code doca_ctx_start: DOCA_ERROR_NOT_CONNECTED (14): compress on
   * 0000:03:00.0}.
   */
  @Override
  public String toString() {
    String answer = operation + ": " + code.docaName() + " (" + raw + ")";
    return about.isEmpty() ? answer : answer + ": " + about;
  }
}
