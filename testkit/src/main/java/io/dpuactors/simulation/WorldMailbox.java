package io.dpuactors.simulation;

import com.typesafe.config.Config;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.dispatch.Envelope;
import org.apache.pekko.dispatch.MailboxType;
import org.apache.pekko.dispatch.MessageQueue;
import org.apache.pekko.dispatch.ProducesMessageQueue;
import org.apache.pekko.dispatch.UnboundedMailbox;
import org.jspecify.annotations.Nullable;
import scala.Option;

/**
 * The mailbox of typed actors in a {@link World}. The mailbox refuses messages of other threads.
 * {@code pekko.actor.typed.default-mailbox} names this class.
 */
public final class WorldMailbox
    implements MailboxType, ProducesMessageQueue<UnboundedMailbox.MessageQueue> {
  private final World world = World.current();

  /** Creates the type of mailboxes. Pekko calls this constructor by reflection. */
  public WorldMailbox(ActorSystem.Settings settings, Config config) {}

  @Override
  public MessageQueue create(Option<ActorRef> owner, Option<ActorSystem> system) {
    return new Messages(world, owner.isEmpty() ? null : owner.get());
  }

  /** The messages of one actor. The trace records those that the actor handles. */
  static final class Messages extends UnboundedMailbox.MessageQueue {
    private static final long serialVersionUID = 1L;

    private final transient World world;
    private final transient @Nullable ActorRef owner;
    private boolean hasEnded;

    Messages(World world, @Nullable ActorRef owner) {
      this.world = world;
      this.owner = owner;
    }

    @Override
    public void enqueue(ActorRef receiver, Envelope message) {
      world.checkThread("a message to " + receiver.path().toStringWithoutAddress());
      world.trace().sent(message);
      super.enqueue(receiver, message);
    }

    /** A step handles the message; the step may have handled signals before. */
    @Override
    public @Nullable Envelope dequeue() {
      Envelope next = super.dequeue();
      if (next != null && !hasEnded) {
        world.trace().handled(owner, next, world.time().nowNs());
      }
      return next;
    }

    /** The actor has ended: nobody handles the remaining messages. */
    @Override
    public void cleanUp(ActorRef receiver, MessageQueue deadLetters) {
      hasEnded = true;
      super.cleanUp(receiver, deadLetters);
    }
  }
}
