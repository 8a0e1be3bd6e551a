package io.dpuactors.protocol;

import io.dpuactors.bridge.DocaError;
import java.time.Duration;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Requests for messages of an RDMA connection.
 *
 * <p>A connection has two ways to receive, one at a time. A subscriber receives all events as far
 * as its credit allows ({@link RdmaConnectionProtocol.Subscribe}). Without a subscriber, each
 * {@link ReceiveMessage} takes one message. A behavior subscribes to its connection.
 */
public final class RdmaReceiveProtocol {
  private RdmaReceiveProtocol() {}

  /**
   * Takes one message or write with immediate data, or waits for the next one. Requests are served
   * in order of arrival.
   *
   * @param within time to wait; empty: until the connection ends
   */
  public record ReceiveMessage(Optional<Duration> within, ActorRef<ReceiveReply> replyTo)
      implements RdmaConnectionProtocol.Command, Request {
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

  /**
   * Data of the peer.
   *
   * @param event a {@link RdmaConnectionProtocol.Message} or {@link RdmaConnectionProtocol.Written}
   */
  public record Received(RdmaConnectionProtocol.Event event) implements ReceiveReply {}

  /**
   * No message: {@code TIME_OUT}, the cause of the connection's end, {@code FULL} for too many
   * waiting requests, or {@code IN_USE} for a connection with a subscriber.
   */
  public record ReceiveFailed(DocaError error) implements ReceiveReply {}
}
