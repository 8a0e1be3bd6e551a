package io.dpuactors.node;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.protocol.RdmaConnectionProtocol.Closed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Event;
import io.dpuactors.protocol.RdmaConnectionProtocol.Subscribe;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/**
 * The received messages of an RDMA connection, until the subscriber has credit for them. At most
 * the connection's share waits, so that no connection exhausts the memory of the others. Engine's
 * thread.
 */
final class RdmaInbox {
  private final String connection;
  private final int share;
  private final Queue<Event> events = new ArrayDeque<>();
  private @Nullable ActorRef<Event> subscriber;
  private @Nullable Closed end;
  private long credit;

  /**
   * Creates an empty inbox.
   *
   * @param share number of messages that may wait
   */
  RdmaInbox(String connection, int share) {
    this.connection = connection;
    this.share = share;
  }

  /**
   * Adds a message.
   *
   * @throws DocaException FULL if the share is used up
   */
  void add(Event event) {
    if (end != null) {
      return;
    }
    if (events.size() >= share) {
      throw new DocaException(
          DocaError.of(
              "receive",
              DocaCode.FULL.value(),
              "%s: %d received messages wait already, which is its share"
                  .formatted(connection, events.size())));
    }
    events.add(event);
    deliver();
  }

  void subscribe(Subscribe request) {
    subscriber = request.subscriber();
    credit = request.credit();
    deliver();
  }

  void grant(int messages) {
    credit += messages;
    deliver();
  }

  /**
   * Closes the inbox.
   *
   * @param error for the subscriber; empty if this side requested the end: then nothing more is
   *     delivered
   */
  void close(Optional<DocaError> error) {
    if (end == null) {
      end = new Closed(error);
      if (error.isEmpty()) {
        events.clear();
      }
      deliver();
    }
  }

  /** Drops all waiting messages. Called after {@link #close}. */
  void dropUnread() {
    events.clear();
    deliver();
  }

  /** Returns whether all messages are delivered and no more will arrive. */
  boolean isRead() {
    return end != null && (events.isEmpty() || subscriber == null);
  }

  private void deliver() {
    ActorRef<Event> receiver = subscriber;
    if (receiver == null) {
      return;
    }
    while (credit > 0 && !events.isEmpty()) {
      credit--;
      receiver.tell(events.remove());
    }
    Closed last = end;
    if (last != null && events.isEmpty()) {
      subscriber = null;
      receiver.tell(last);
    }
  }
}
