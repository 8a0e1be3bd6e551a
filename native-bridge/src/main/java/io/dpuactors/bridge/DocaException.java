package io.dpuactors.bridge;

/**
 * A DOCA call failed, and the caller cannot continue. The message names operation, code and
 * subject.
 */
public final class DocaException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final DocaError error;

  public DocaException(DocaError error) {
    super(error.toString());
    this.error = error;
  }

  /** An error with a code that no call has returned. */
  public DocaException(String operation, DocaCode code, String about) {
    this(DocaError.of(operation, code, about));
  }

  /** Returns the failed call. */
  public DocaError error() {
    return error;
  }

  /**
   * Checks the result of a DOCA call.
   *
   * @throws DocaException unless the result is SUCCESS
   */
  public static void check(String operation, int raw, String about) {
    if (raw != DocaCode.SUCCESS.value()) {
      throw new DocaException(DocaError.of(operation, raw, about));
    }
  }
}
