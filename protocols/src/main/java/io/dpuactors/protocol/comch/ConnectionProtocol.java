package io.dpuactors.protocol.comch;

import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.EngineProtocol.OpenFailed;
import io.dpuactors.protocol.EngineProtocol.OpenReply;
import io.dpuactors.protocol.Request;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * What a connection understands: a {@code ComchConnection} of a server, or a {@code ComchClient},
 * whose only connection it is.
 *
 * <p>There are two ways to receive, one at a time: whoever sends {@link Subscribe} is told all
 * events as they come, as far as its credit goes; without a subscriber each {@link Receive} takes
 * one message. A connection that was opened with a {@link ConnectionBehavior} has it as subscriber.
 */
public final class ConnectionProtocol {
  private ConnectionProtocol() {}

  /** Any message to the connection. */
  public sealed interface Command {}

  /**
   * Send one message. Messages arrive whole and in the order in which they were sent. Beyond the
   * window it waits in order, beyond the queue the answer is {@link Busy}.
   *
   * @param bytes not changed by the sender until the answer; at most the negotiated message size,
   *     or the limit of {@link Framing} where the connection has it
   * @param tag comes back in the answer
   * @param replyTo gets one {@link SendReply}; empty: a message that cannot be sent fails the
   *     connection
   */
  @SuppressWarnings("ArrayRecordComponent") // A message is its bytes; nobody compares messages.
  public record Send(byte[] bytes, long tag, Optional<ActorRef<SendReply>> replyTo)
      implements Command, Request {
    /** With an answer. */
    public Send(byte[] bytes, ActorRef<SendReply> replyTo) {
      this(bytes, 0, Optional.of(replyTo));
    }

    /** Without an answer: if it cannot be sent, the connection fails. */
    public static Send orFail(byte[] bytes) {
      return new Send(bytes, 0, Optional.empty());
    }

    /** ASCII text without an answer: if it cannot be sent, the connection fails. */
    public static Send orFail(String text) {
      return orFail(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public void refuse(DocaError error) {
      replyTo.ifPresent(asker -> asker.tell(new SendFailed(tag, error)));
    }
  }

  /** The answer to {@link Send}. */
  public sealed interface SendReply {
    /** Of the request. */
    long tag();
  }

  /** The device has it: the bytes may be changed, and will arrive unless the connection ends. */
  public record Sent(long tag) implements SendReply {}

  /** It was not sent, or nobody can tell whether it was. */
  public record SendFailed(long tag, DocaError error) implements SendReply {}

  /**
   * Window and queue are full; nothing was sent.
   *
   * @param queued messages that wait
   */
  public record Busy(long tag, int queued) implements SendReply {}

  /**
   * Take one message; the next one if none waits. Requests are served in order of arrival.
   *
   * @param within how long to wait for it; empty: as long as the connection lives
   */
  public record Receive(Optional<Duration> within, ActorRef<ReceiveReply> replyTo)
      implements Command, Request {
    /** However long it takes. */
    public Receive(ActorRef<ReceiveReply> replyTo) {
      this(Optional.empty(), replyTo);
    }

    /** At most so long. */
    public Receive(Duration within, ActorRef<ReceiveReply> replyTo) {
      this(Optional.of(within), replyTo);
    }

    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new ReceiveFailed(error));
    }
  }

  /** The answer to {@link Receive}. */
  public sealed interface ReceiveReply {}

  /** A message. */
  public record Received(ConnectionEvent.Message message) implements ReceiveReply {}

  /**
   * There is no message: {@code TIME_OUT}, the connection's end, {@code FULL} when too many wait
   * already, or {@code IN_USE} while somebody is subscribed.
   */
  public record ReceiveFailed(DocaError error) implements ReceiveReply {}

  /**
   * Be told all events from now on. Replaces a former subscriber. Messages use up credit, other
   * events do not; all keep their order.
   *
   * @param credit so many messages may come before {@link Grant} adds to it
   */
  public record Subscribe(ActorRef<ConnectionEvent> subscriber, int credit) implements Command {
    /** Checks the range. */
    public Subscribe {
      requireCredit(credit);
    }
  }

  /** The subscriber can take so many messages more. */
  public record Grant(int messages) implements Command {
    /** Checks the range. */
    public Grant {
      requireCredit(messages);
    }
  }

  private static void requireCredit(int credit) {
    if (credit < 1) {
      throw new IllegalArgumentException("credit is " + credit + "; it must be at least 1");
    }
  }

  /**
   * Open a producer as a child of the connection.
   *
   * @param name unique on this connection
   */
  public record OpenProducer(
      String name, DataOptions options, ActorRef<OpenReply<ProducerProtocol.Command>> replyTo)
      implements Command, Request {
    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new OpenFailed<>(name, error));
    }
  }

  /**
   * Open a consumer as a child of the connection. The peer learns of it by {@link
   * ConnectionEvent.ConsumerJoined}.
   *
   * @param name unique on this connection
   * @param options its {@link DataOptions#memory} names the pool that all its buffers come from
   */
  public record OpenConsumer(
      String name, DataOptions options, ActorRef<OpenReply<ConsumerProtocol.Command>> replyTo)
      implements Command, Request {
    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new OpenFailed<>(name, error));
    }
  }

  /**
   * Ask for a consumer of the peer: one that is there, or the next one. For those who do not
   * subscribe.
   */
  public record AwaitConsumer(Duration within, ActorRef<AwaitReply> replyTo)
      implements Command, Request {
    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new NoConsumer(error));
    }
  }

  /** The answer to {@link AwaitConsumer}. */
  public sealed interface AwaitReply {}

  /** The oldest consumer that the peer has. */
  public record ConsumerThere(int consumer) implements AwaitReply {}

  /** None has come in time, or the connection has ended. */
  public record NoConsumer(DocaError error) implements AwaitReply {}

  /** Ask about the connection. Answer: {@link ConnectionInfo}. */
  public record GetInfo(ActorRef<ConnectionInfo> replyTo) implements Command {}

  /**
   * What there is to know of a connection.
   *
   * @param maxMessageBytes the most that one message of the device carries
   * @param waiting received messages that nobody has taken yet
   * @param sending messages that are not sent yet
   */
  public record ConnectionInfo(int maxMessageBytes, int waiting, int sending) {}

  /**
   * Close the connection: consumers and producers first, then the connection itself, then the
   * actor. Messages in flight are sent within the drain deadline. Watch it to know when.
   */
  public enum Stop implements Command {
    /** The only one. */
    INSTANCE
  }
}
