package io.dpuactors.protocol;

import io.dpuactors.bridge.DocaError;

/**
 * A message that needs exactly one answer and can answer negatively by itself. The engine uses this
 * where no actor can process the message any more.
 */
public interface Request extends LocalMessage {
  /** Answers that nothing was done, and why. Leases of the request are returned to its sender. */
  void refuse(DocaError error);
}
