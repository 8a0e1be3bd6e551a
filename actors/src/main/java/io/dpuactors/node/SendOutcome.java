package io.dpuactors.node;

import io.dpuactors.bridge.DocaError;

/** Receives the outcome of an outgoing message, once. Engine's thread. */
interface SendOutcome {
  /** The device has sent the message. */
  void sent();

  /** The message was not sent, or its outcome is unknown. */
  void failed(DocaError error);

  /** The message was refused: the queue is full. */
  void busy(int waiting);
}
