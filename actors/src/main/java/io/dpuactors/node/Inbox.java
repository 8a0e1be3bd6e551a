package io.dpuactors.node;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionEvent.Closed;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionProtocol.ReceiveMessage;
import io.dpuactors.protocol.ConnectionProtocol.Received;
import io.dpuactors.protocol.wire.FrameException;
import io.dpuactors.protocol.wire.Reassembler;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Optional;
import java.util.Queue;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/**
 * Received messages and events of a connection, until they are taken. A subscriber receives them as
 * far as its credit permits; without one, each receive request takes one message. The order is
 * kept, and the number of waiting messages is bounded. Engine's thread.
 */
final class Inbox {
  /**
   * Maximum number of waiting Joined and Left events. A device has far fewer consumers per
   * connection.
   */
  private static final int MAX_OTHER_EVENTS = 1024;

  /** A receive request that waits for a message. */
  private record Waiting(ReceiveMessage request, long deadlineNs, boolean isBounded) {}

  private final String connection;
  private final int bound;
  private final EventQueue<ConnectionEvent> events = new EventQueue<>(Message.class);
  private final Queue<Waiting> receivers = new ArrayDeque<>();
  private final @Nullable Reassembler reassembler;
  private @Nullable DocaError closed;

  Inbox(String connection, LinkSettings settings) {
    this.connection = connection;
    this.bound = settings.receiveQueue();
    this.reassembler =
        settings
            .framing()
            .map(framing -> Reassembler.create(framing.maxPayloadBytes()))
            .orElse(null);
  }

  /**
   * Adds a received message, or a piece of a payload.
   *
   * @throws DocaException FULL if there is no room, BAD_STATE if it is no valid piece
   */
  void message(byte[] bytes) {
    Optional<byte[]> whole =
        reassembler == null ? Optional.of(bytes) : reassemble(reassembler, bytes);
    whole.ifPresent(this::add);
  }

  private Optional<byte[]> reassemble(Reassembler frames, byte[] bytes) {
    try {
      return frames.accept(bytes);
    } catch (FrameException e) {
      throw new DocaException(error(DocaCode.BAD_STATE, String.valueOf(e.getMessage())));
    }
  }

  private void add(byte[] message) {
    if (events.messages() >= bound) {
      throw full(events.messages() + " received messages wait already, and the peer sends more");
    }
    events.add(new Message(message));
    answer();
  }

  /**
   * Adds an event for the subscriber.
   *
   * @throws DocaException FULL if too many such events wait behind messages for which the
   *     subscriber has no credit
   */
  void event(ConnectionEvent event) {
    if (!events.hasSubscriber()) {
      return;
    }
    if (events.others() >= MAX_OTHER_EVENTS) {
      throw full(MAX_OTHER_EVENTS + " events of the peer's consumers wait already");
    }
    events.add(event);
  }

  private DocaException full(String why) {
    return new DocaException(error(DocaCode.FULL, why));
  }

  /** Returns the number of waiting messages. */
  int waiting() {
    return events.messages();
  }

  void receive(ReceiveMessage request, long nowNs) {
    if (events.hasSubscriber()) {
      request.refuse(error(DocaCode.IN_USE, "the connection has a subscriber"));
      return;
    }
    if (receivers.size() >= bound) {
      request.refuse(error(DocaCode.FULL, receivers.size() + " receivers wait already"));
      return;
    }
    boolean isBounded = request.within().isPresent();
    long within = isBounded ? Nanos.of(request.within().orElseThrow()) : 0;
    receivers.add(new Waiting(request, nowNs + within, isBounded));
    answer();
  }

  /**
   * Sets the subscriber, which receives all further events.
   *
   * @param known events that the new subscriber receives first
   */
  void subscribe(
      ActorRef<ConnectionEvent> newSubscriber,
      int newCredit,
      Iterable<? extends ConnectionEvent> known) {
    DocaError taken = error(DocaCode.IN_USE, "a subscriber has joined");
    receivers.forEach(one -> one.request.refuse(taken));
    receivers.clear();
    events.subscribe(newSubscriber, newCredit, known);
  }

  void grant(int more) {
    events.grant(more);
  }

  /**
   * Closes the inbox. Waiting messages can still be taken, unless this side requested the end.
   *
   * @param reason error for the receive requests
   * @param reported error for the subscriber; empty if this side requested the end
   */
  void close(DocaError reason, Optional<DocaError> reported) {
    if (closed == null) {
      closed = reason;
      if (reported.isEmpty()) {
        events.clear();
      }
      events.close(new Closed(reported));
      answer();
    }
  }

  /** Drops all waiting messages. Called after {@link #close}. */
  void dropUnread() {
    events.dropMessages();
  }

  /** Returns whether all messages are taken and no more will arrive. */
  boolean isRead() {
    return closed != null && events.messages() == 0;
  }

  void turn(long nowNs, NextTurn next) {
    if (receivers.isEmpty()) {
      return;
    }
    for (Iterator<Waiting> each = receivers.iterator(); each.hasNext(); ) {
      Waiting one = each.next();
      if (one.isBounded && one.deadlineNs - nowNs <= 0) {
        each.remove();
        one.request.refuse(
            error(
                DocaCode.TIME_OUT,
                "no message within " + one.request.within().orElseThrow().toMillis() + " ms"));
      } else if (one.isBounded) {
        next.at(one.deadlineNs);
      }
    }
  }

  /** Answers the receive requests, of which a connection with a subscriber has none. */
  private void answer() {
    while (!receivers.isEmpty() && events.poll() instanceof Message message) {
      receivers.remove().request.replyTo().tell(new Received(message));
    }
    DocaError reason = closed;
    if (reason != null) {
      receivers.forEach(one -> one.request.refuse(reason));
      receivers.clear();
    }
  }

  private DocaError error(DocaCode code, String why) {
    return DocaError.of("receive", code.value(), connection + ": " + why);
  }
}
