package io.dpuactors.protocol;

import io.dpuactors.bridge.DocaError;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Messages to a connection: a {@code ComchConnection} of a server, or a {@code ComchClient} and its
 * only connection.
 *
 * <p>A connection has two ways to receive, one at a time. A {@link Subscribe}r receives all events
 * as far as its credit allows. Without a subscriber, each {@link ReceiveMessage} takes one message.
 * A {@link ConnectionBehavior} subscribes to its connection.
 */
public final class ConnectionProtocol {
  private ConnectionProtocol() {}

  /** A message to the connection. */
  public sealed interface Command extends LocalMessage
      permits Send,
          ReceiveMessage,
          Subscribe,
          Grant,
          OpenProducer,
          OpenConsumer,
          AwaitConsumer,
          GetInfo,
          Stop {}

  /** The answer to the command that opens a client. */
  public sealed interface OpenReply extends ContextReply<Command> {}

  /** The context is running. */
  public record Opened(String name, ActorRef<Command> context)
      implements OpenReply, ContextReply.Opened<Command> {}

  /**
   * The open-deadline has passed, and the client continues to connect until it is stopped or its
   * strategy has no attempt left. Only clients with a restart strategy receive this answer. The
   * client's listener is notified of the connection.
   *
   * @param error the awaited state and the time waited
   */
  public record Opening(String name, ActorRef<Command> context, DocaError error)
      implements OpenReply, ContextReply.Opening<Command> {}

  /** The start failed, and the actor has stopped. */
  public record OpenFailed(String name, DocaError error)
      implements OpenReply, ContextReply.OpenFailed<Command> {}

  /**
   * Sends one message. Messages arrive complete and in order. Beyond the window a message waits in
   * order; beyond the queue the answer is {@link Busy}.
   *
   * @param bytes must not change before the answer; at most the negotiated message size, or the
   *     limit of {@link MessageFraming} on a connection with framing
   * @param tag the answer repeats it
   * @param replyTo receives one {@link SendReply}; empty: a message that cannot be sent fails the
   *     connection
   */
  @SuppressWarnings("ArrayRecordComponent") // a message is compared by no code
  public record Send(byte[] bytes, long tag, Optional<ActorRef<SendReply>> replyTo)
      implements Command, Request {
    /** With an answer. */
    public Send(byte[] bytes, ActorRef<SendReply> replyTo) {
      this(bytes, 0, Optional.of(replyTo));
    }

    /** Without an answer: a message that cannot be sent fails the connection. */
    public static Send orFail(byte[] bytes) {
      return new Send(bytes, 0, Optional.empty());
    }

    /** UTF-8 text without an answer: if it cannot be sent, the connection fails. */
    public static Send orFail(String text) {
      return orFail(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void refuse(DocaError error) {
      replyTo.ifPresent(asker -> asker.tell(new SendFailed(tag, error)));
    }

    /**
     * Answers that the queue is full. Does nothing for a message without an answer.
     *
     * @param waiting number of waiting messages
     */
    public void busy(int waiting) {
      replyTo.ifPresent(asker -> asker.tell(new BusyReplies.SendBusy(tag, waiting)));
    }

    /** Returns the size, at most 32 bytes, and the tag. */
    @Override
    public String toString() {
      return "Send[" + BytesText.of(bytes) + ", tag=" + tag + "]";
    }
  }

  /** The answer to {@link Send}: {@link Sent}, {@link SendFailed} or {@link Busy}. */
  public sealed interface SendReply extends LocalMessage
      permits Sent, SendFailed, BusyReplies.SendBusy {
    /** Returns the tag of the request. */
    long tag();
  }

  /**
   * The device has the message: the sender may change the bytes. The message arrives unless the
   * connection ends.
   */
  public record Sent(long tag) implements SendReply {}

  /** The message was not sent, or its fate is unknown. */
  public record SendFailed(long tag, DocaError error) implements SendReply {}

  /**
   * Takes one message, or waits for the next one. Requests are served in order of arrival.
   *
   * @param within time to wait; empty: until the connection ends
   */
  public record ReceiveMessage(Optional<Duration> within, ActorRef<ReceiveReply> replyTo)
      implements Command, Request {
    /** Waits until the connection ends. */
    public ReceiveMessage(ActorRef<ReceiveReply> replyTo) {
      this(Optional.empty(), replyTo);
    }

    /** Waits for a limited time. */
    public ReceiveMessage(Duration within, ActorRef<ReceiveReply> replyTo) {
      this(Optional.of(within), replyTo);
    }

    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new ReceiveFailed(error));
    }
  }

  /** The answer to {@link ReceiveMessage}. */
  public sealed interface ReceiveReply extends LocalMessage {}

  /** A message. */
  public record Received(ConnectionEvent.Message message) implements ReceiveReply {}

  /**
   * No message: {@code TIME_OUT}, the cause of the connection's end, {@code FULL} for too many
   * waiting requests, or {@code IN_USE} for a connection with a subscriber.
   */
  public record ReceiveFailed(DocaError error) implements ReceiveReply {}

  /**
   * Subscribes to all events. Replaces an earlier subscriber. Messages use credit, other events do
   * not. All events keep their order. The subscriber of a connection that has ended receives {@link
   * ConnectionEvent.Closed}.
   *
   * @param credit number of messages to deliver before {@link Grant} adds credit
   */
  public record Subscribe(ActorRef<ConnectionEvent> subscriber, int credit)
      implements Command, Request {
    /** Checks the range. */
    public Subscribe {
      Credit.require(credit);
    }

    @Override
    public void refuse(DocaError error) {
      subscriber.tell(new ConnectionEvent.Closed(Optional.of(error)));
    }
  }

  /** Adds credit of the subscriber. */
  public record Grant(int messages) implements Command {
    /** Checks the range. */
    public Grant {
      Credit.require(messages);
    }
  }

  /**
   * Opens a producer as a child of the connection.
   *
   * @param name unique on this connection
   */
  public record OpenProducer(
      String name, DataOptions options, ActorRef<ProducerProtocol.OpenReply> replyTo)
      implements Command, OpenRequest<ProducerProtocol.Command> {
    @Override
    public void opened(ActorRef<ProducerProtocol.Command> context) {
      replyTo.tell(new ProducerProtocol.Opened(name, context));
    }

    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new ProducerProtocol.OpenFailed(name, error));
    }
  }

  /**
   * Opens a consumer as a child of the connection. The peer is notified by {@link
   * ConnectionEvent.ConsumerJoined}.
   *
   * @param name unique on this connection
   * @param options {@link DataOptions#memory} names the pool of all its buffers
   */
  public record OpenConsumer(
      String name, DataOptions options, ActorRef<ConsumerProtocol.OpenReply> replyTo)
      implements Command, OpenRequest<ConsumerProtocol.Command> {
    @Override
    public void opened(ActorRef<ConsumerProtocol.Command> context) {
      replyTo.tell(new ConsumerProtocol.Opened(name, context));
    }

    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new ConsumerProtocol.OpenFailed(name, error));
    }
  }

  /**
   * Asks for a consumer of the peer: an existing one, or the next one. Subscribers receive events
   * instead.
   */
  public record AwaitConsumer(Duration within, ActorRef<AwaitReply> replyTo)
      implements Command, Request {
    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new NoConsumer(error));
    }
  }

  /** The answer to {@link AwaitConsumer}. */
  public sealed interface AwaitReply extends LocalMessage {}

  /** The oldest consumer of the peer. */
  public record ConsumerThere(int consumer) implements AwaitReply {}

  /** The peer opened no consumer in time, or the connection has ended. */
  public record NoConsumer(DocaError error) implements AwaitReply {}

  /**
   * Asks for the state of the connection. Answer: {@link ConnectionInfo}; all 0 and empty when it
   * has ended.
   */
  public record GetInfo(ActorRef<ConnectionInfo> replyTo) implements Command, Request {
    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new ConnectionInfo(0, 0, 0, ""));
    }
  }

  /**
   * State of a connection.
   *
   * @param maxMessageBytes size limit of one message of the device
   * @param waiting number of received messages that wait for a receiver
   * @param sending number of messages that are not sent yet
   * @param device PCI address of the connection's device, where producers and consumers need their
   *     buffers
   */
  public record ConnectionInfo(int maxMessageBytes, int waiting, int sending, String device)
      implements LocalMessage {}
}
