package io.dpuactors.streams;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.ConnectionEvent.Closed;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.ConnectionProtocol.SendFailed;
import io.dpuactors.protocol.ConnectionProtocol.SendReply;
import io.dpuactors.protocol.ConnectionProtocol.Sent;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Set;
import org.apache.pekko.actor.Terminated;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one stream to its peer. The sender has at most a fixed number of messages in
 * flight, so that the connection refuses none and the order is kept. One thread at a time.
 */
final class Sender {
  /** The failures of a message after which the connection itself has not failed. */
  static final Set<DocaCode> STAYS_OPEN = Set.of(DocaCode.TIME_OUT, DocaCode.FULL);

  private final ActorRef<SendReply> replyTo;
  private final int maxInFlight;
  private final Queue<byte[]> waiting = new ArrayDeque<>();
  private @Nullable ActorRef<ConnectionProtocol.Command> connection;
  private int inFlight;
  private boolean isClosed;

  Sender(ActorRef<SendReply> replyTo, int maxInFlight) {
    this.replyTo = replyTo;
    this.maxInFlight = maxInFlight;
  }

  /** Sends the waiting messages, and further ones, on a connection. */
  void open(ActorRef<ConnectionProtocol.Command> opened) {
    connection = isClosed ? null : opened;
    flush();
  }

  /** Sends a message in order, or drops it after the close. */
  void send(StreamMessage message) {
    if (!isClosed) {
      waiting.add(message.encode());
      flush();
    }
  }

  /** Returns why the device does not have a message; null if it has. */
  static @Nullable DocaError failure(SendReply reply) {
    if (reply instanceof Sent) {
      return null;
    }
    return reply instanceof SendFailed failed
        ? failed.error()
        : PeerLogic.exception(DocaCode.FULL, "the queue of the connection is full").error();
  }

  /** Handles the answer that the device has a message. */
  void answered() {
    inFlight = Math.max(0, inFlight - 1); // an answer may arrive after the close
    flush();
  }

  /** Drops all messages: the connection closes. */
  void close() {
    isClosed = true;
    connection = null;
    waiting.clear();
    inFlight = 0;
  }

  boolean isOpen() {
    return connection != null;
  }

  /** Returns whether a message would be sent at once. */
  boolean hasRoom() {
    return connection != null && waiting.isEmpty() && inFlight < maxInFlight;
  }

  /** Returns whether the device has all messages. */
  boolean isIdle() {
    return waiting.isEmpty() && inFlight == 0;
  }

  /** Returns whether messages wait for the connection, which is open. */
  boolean isBehind() {
    return connection != null && !waiting.isEmpty();
  }

  /** Handles a message to a stream that has failed. Its last messages still go to the peer. */
  void part(Object message) {
    if (message instanceof Sent) {
      answered();
    } else if (message instanceof SendReply
        || message instanceof Closed
        || message instanceof Terminated) {
      close();
    }
  }

  private void flush() {
    ActorRef<ConnectionProtocol.Command> open = connection;
    while (open != null && inFlight < maxInFlight && !waiting.isEmpty()) {
      inFlight++;
      open.tell(new Send(waiting.remove(), replyTo));
    }
  }
}
