package io.dpuactors.node;

import io.dpuactors.bridge.DocaError;

/** Who learns what became of an outgoing message; told once. Engine's thread. */
interface SendOutcome {
  /** The device has it. */
  void sent();

  /** It was not sent, or nobody can tell. */
  void failed(DocaError error);

  /** There was no room for it. */
  void busy(int waiting);
}
