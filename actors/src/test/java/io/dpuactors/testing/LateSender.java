package io.dpuactors.testing;

import org.apache.pekko.actor.LocalActorRef;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.dispatch.Envelope;
import org.apache.pekko.dispatch.Mailbox;

/**
 * A sender that fetches the mailbox of an actor early and adds its message later. A thread that is
 * preempted inside {@code tell} does the same.
 */
public final class LateSender<C> {
  private final LocalActorRef receiver;
  private final Mailbox mailbox;

  /** Fetches the mailbox of a receiver that runs. */
  public LateSender(ActorRef<C> receiver) {
    this.receiver = (LocalActorRef) Adapter.toClassic(receiver);
    this.mailbox = this.receiver.underlying().mailbox();
  }

  /** Adds a message to the mailbox. */
  public void tell(C message) {
    mailbox.enqueue(
        receiver,
        Envelope.apply(
            message, org.apache.pekko.actor.ActorRef.noSender(), receiver.underlying().system()));
  }
}
