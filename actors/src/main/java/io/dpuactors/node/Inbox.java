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
import java.util.Optional;
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

  private final String connection;
  private final int bound;
  private final EventQueue<ConnectionEvent> events = new EventQueue<>(Message.class);
  private final WaitingReceivers<ReceiveMessage, ConnectionEvent> receivers;
  private final @Nullable Reassembler reassembler;
  private boolean isClosed;

  Inbox(String connection, LinkSettings settings) {
    this.connection = connection;
    this.bound = settings.receiveQueue();
    this.receivers =
        new WaitingReceivers<>(
            connection,
            bound,
            events,
            ReceiveMessage::within,
            (request, event) -> request.replyTo().tell(new Received((Message) event)));
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
    receivers.answer();
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
    receivers.receive(request, nowNs);
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
    receivers.subscribed();
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
    if (!isClosed) {
      isClosed = true;
      if (reported.isEmpty()) {
        events.clear();
      }
      events.close(new Closed(reported));
      receivers.close(reason);
    }
  }

  /** Drops all waiting messages. Called after {@link #close}. */
  void dropUnread() {
    events.dropMessages();
  }

  /** Returns whether all messages are taken and no more will arrive. */
  boolean isRead() {
    return isClosed && events.messages() == 0;
  }

  void turn(long nowNs, NextTurn next) {
    receivers.turn(nowNs, next);
  }

  private DocaError error(DocaCode code, String why) {
    return DocaError.of("receive", code, connection + ": " + why);
  }
}
