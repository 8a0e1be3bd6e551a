package io.dpuactors.node;

import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.Request;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Goes through the mailboxes of actors that take buffers: when all have {@link #pass passed} it,
 * everything that was sent to them before has been taken or refused. Where an actor has ended it
 * counts as passed when it is refused like any request. Thread: any.
 */
public final class Fence implements Request {
  private final AtomicInteger ahead;

  Fence(int actors) {
    this.ahead = new AtomicInteger(actors);
  }

  /** An actor has come to it. */
  public void pass() {
    ahead.decrementAndGet();
  }

  @Override
  public void refuse(DocaError error) {
    pass();
  }

  boolean isPassed() {
    return ahead.get() <= 0;
  }
}
