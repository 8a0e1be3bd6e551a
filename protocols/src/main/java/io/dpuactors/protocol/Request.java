package io.dpuactors.protocol;

import io.dpuactors.bridge.DocaError;

/**
 * A message that is owed exactly one answer, and knows how to give a negative one: for those who
 * find it where nobody is left to do what it asks.
 */
public interface Request {
  /** Answers that nothing was done, and why. Whatever was lent with the request is returned. */
  void refuse(DocaError error);
}
