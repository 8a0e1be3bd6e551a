package io.dpuactors.loop;

import com.typesafe.config.Config;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.dispatch.AbstractNodeQueue;
import org.apache.pekko.dispatch.Envelope;
import org.apache.pekko.dispatch.MailboxType;
import org.apache.pekko.dispatch.MessageQueue;
import org.apache.pekko.dispatch.ProducesMessageQueue;
import org.apache.pekko.dispatch.UnboundedMessageQueueSemantics;
import org.jspecify.annotations.Nullable;
import scala.Option;

/**
 * An unbounded mailbox that turns every message to an ended actor into a dead letter. {@code
 * dpu.mailbox.mailbox-type} names this class.
 *
 * <p>Pekko's own mailboxes can drop a message when the receiver ends during the send: the sender
 * fetches the mailbox, the receiver empties and abandons it, and then the sender adds the message.
 * A dropped request would get no answer, because the framework answers dead letters.
 */
public final class LosslessMailbox implements MailboxType, ProducesMessageQueue<MessageQueue> {
  private static final String PATH = "dpu.mailbox";

  /** Creates the mailbox type. Pekko calls this constructor by reflection. */
  public LosslessMailbox(ActorSystem.Settings settings, Config config) {}

  /** Returns the properties of an actor on the thread of its parent. */
  public static Props sameAsParent() {
    return of(DispatcherSelector.sameAsParent());
  }

  /** Returns the properties of an actor on this dispatcher. */
  public static Props of(DispatcherSelector dispatcher) {
    return dispatcher.withMailboxFromConfig(PATH);
  }

  @Override
  public MessageQueue create(Option<ActorRef> owner, Option<ActorSystem> system) {
    return new Queue();
  }

  /** One consumer at a time; many producers. */
  private static final class Queue extends AbstractNodeQueue<Envelope>
      implements MessageQueue, UnboundedMessageQueueSemantics {
    private static final long serialVersionUID = 1L;

    /** Receives the messages to the ended owner; null before its end. */
    private transient volatile @Nullable MessageQueue deadLetters;

    @Override
    public void enqueue(ActorRef receiver, Envelope message) {
      add(message);
      // The owner may have ended since the sender fetched this queue.
      MessageQueue letters = deadLetters;
      if (letters != null) {
        drain(receiver, letters);
      }
    }

    @Override
    public @Nullable Envelope dequeue() {
      return poll();
    }

    @Override
    public int numberOfMessages() {
      return count();
    }

    @Override
    public boolean hasMessages() {
      return !isEmpty();
    }

    @Override
    public void cleanUp(ActorRef owner, MessageQueue letters) {
      deadLetters = letters;
      drain(owner, letters);
    }

    /** Senders may drain at the same time, but the queue permits one consumer. */
    private synchronized void drain(ActorRef owner, MessageQueue letters) {
      for (Envelope message = poll(); message != null; message = poll()) {
        letters.enqueue(owner, message);
      }
    }
  }
}
