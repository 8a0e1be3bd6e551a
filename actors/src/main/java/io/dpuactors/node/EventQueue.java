package io.dpuactors.node;

import java.util.ArrayDeque;
import java.util.Queue;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/**
 * The events of a connection, until its subscriber has credit for them. The order is kept: other
 * events wait behind a message without credit. Engine's thread.
 *
 * @param <E> the events
 */
final class EventQueue<E> {
  private final Class<? extends E> messageType;
  private final Queue<E> events = new ArrayDeque<>();
  private @Nullable ActorRef<E> subscriber;
  private @Nullable E end;
  private boolean isEndDelivered;
  private int messages;
  private long credit;

  /**
   * Creates an empty queue.
   *
   * @param messageType type of the events that take credit
   */
  EventQueue(Class<? extends E> messageType) {
    this.messageType = messageType;
  }

  /** Returns the number of waiting messages. */
  int messages() {
    return messages;
  }

  /** Returns the number of waiting events that take no credit. */
  int others() {
    return events.size() - messages;
  }

  boolean hasSubscriber() {
    return subscriber != null;
  }

  void add(E event) {
    messages += messageType.isInstance(event) ? 1 : 0;
    events.add(event);
    deliver();
  }

  /**
   * Sets the subscriber, which receives all further events.
   *
   * @param known events that the new subscriber receives first, in place of all waiting ones that
   *     take no credit
   */
  void subscribe(ActorRef<E> newSubscriber, long newCredit, Iterable<? extends E> known) {
    subscriber = newSubscriber;
    credit = newCredit;
    isEndDelivered = false;
    events.removeIf(event -> !messageType.isInstance(event));
    known.forEach(newSubscriber::tell);
    deliver();
  }

  void grant(long more) {
    credit += more;
    deliver();
  }

  /** Closes the queue: the subscriber receives this event last. */
  void close(E last) {
    end = last;
    deliver();
  }

  /** Drops all waiting events. */
  void clear() {
    events.clear();
    messages = 0;
  }

  /** Drops all waiting messages. */
  void dropMessages() {
    events.removeIf(messageType::isInstance);
    messages = 0;
    deliver();
  }

  /** Takes the first event; null if none waits. */
  @Nullable E poll() {
    E event = events.poll();
    messages -= messageType.isInstance(event) ? 1 : 0;
    return event;
  }

  private void deliver() {
    ActorRef<E> receiver = subscriber;
    if (receiver == null) {
      return;
    }
    E next;
    while ((next = events.peek()) != null) {
      if (messageType.isInstance(next)) {
        if (credit == 0) {
          return;
        }
        credit--;
        messages--;
      }
      events.remove();
      receiver.tell(next);
    }
    E last = end;
    if (last != null && !isEndDelivered) {
      isEndDelivered = true;
      receiver.tell(last);
    }
  }
}
