package io.dpuactors.simulation;

import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.protocol.TaskProtocol.CapabilityQuery;
import org.apache.pekko.actor.typed.ActorRef;

/** Messages whose receiver throws while it handles them. */
enum Poison implements CapabilityQuery {
  /** For contexts of tasks, and for those of a group. */
  CONTEXT;

  /** The text of the failure. */
  static final String TEXT = "simulated failure";

  @Override
  public ActorRef<TaskCapabilities> replyTo() {
    throw new IllegalStateException(TEXT);
  }

  /** A context that has ended does not handle the message. */
  @Override
  public void refuse(DocaError error) {}
}
