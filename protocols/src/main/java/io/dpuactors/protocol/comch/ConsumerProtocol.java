package io.dpuactors.protocol.comch;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.Request;
import io.dpuactors.protocol.TaskReply.Ownership;
import org.apache.pekko.actor.typed.ActorRef;

/** What a {@code ComchConsumer} understands. */
public final class ConsumerProtocol {
  private ConsumerProtocol() {}

  /** Any message to the consumer. */
  public sealed interface Command {}

  /**
   * Post a buffer for a producer of the peer to fill; posted buffers are filled in order. Lends the
   * buffer until the answer, for which there is no deadline: it comes when data come, or when the
   * consumer ends.
   *
   * @param dst of the consumer's pool
   * @param tag comes back in the answer
   */
  public record Post(Buffer dst, long tag, ActorRef<ConsumerReply> replyTo)
      implements Command, Request {
    /** A request that needs no tag. */
    public Post(Buffer dst, ActorRef<ConsumerReply> replyTo) {
      this(dst, 0, replyTo);
    }

    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new PostFailed(tag, error, dst, Ownership.RETURNED));
    }
  }

  /**
   * The answer to {@link Post}. The buffer is the receiver's again, but for one that is retained.
   */
  public sealed interface ConsumerReply {
    /** Of the request. */
    long tag();

    /** Of the request. */
    Buffer dst();
  }

  /**
   * A producer has filled the buffer; {@code dst.length()} bytes arrived.
   *
   * @param producer who sent it
   * @param immediate 0 to 32 bytes that came with it
   */
  @SuppressWarnings("ArrayRecordComponent") // Nobody compares replies.
  public record Filled(long tag, Buffer dst, int producer, byte[] immediate)
      implements ConsumerReply {}

  /** Nothing will arrive in this buffer. */
  public record PostFailed(long tag, DocaError error, Buffer dst, Ownership ownership)
      implements ConsumerReply {}

  /** Window and queue are full; the buffer was not posted. */
  public record PostBusy(long tag, Buffer dst, int queued) implements ConsumerReply {}

  /** Ask for the consumer's id, which the peer's producers send to. Answer: {@link ConsumerId}. */
  public record GetId(ActorRef<ConsumerId> replyTo) implements Command {}

  /**
   * The answer to {@link GetId}.
   *
   * @param id 0: the consumer does not run
   */
  public record ConsumerId(int id) {}

  /**
   * Stop the consumer: posted buffers come back with an error, then the actor ends. The peer learns
   * of it by {@link ConnectionEvent.ConsumerLeft}.
   */
  public enum Stop implements Command {
    /** The only one. */
    INSTANCE
  }
}
