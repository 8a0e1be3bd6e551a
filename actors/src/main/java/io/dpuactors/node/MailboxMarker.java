package io.dpuactors.node;

import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.Request;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Marker in the mailboxes of actors that take buffers. When all actors have {@link #pass passed}
 * it, all earlier messages to them have been taken or refused. An actor that has ended counts as
 * passed: its marker is refused like any request. Any thread.
 */
public final class MailboxMarker implements Request {
  private final AtomicInteger ahead;

  MailboxMarker(int actors) {
    this.ahead = new AtomicInteger(actors);
  }

  /** Counts an actor that has received the marker. */
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
