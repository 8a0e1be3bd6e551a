package io.dpuactors.testkit;

import io.dpuactors.bridge.DocaCode;

/** A device would report this code for a task or for the creation of an object. */
final class TaskFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final DocaCode code;

  TaskFailure(DocaCode code) {
    super(code.docaName(), null, false, false);
    this.code = code;
  }

  DocaCode code() {
    return code;
  }
}
