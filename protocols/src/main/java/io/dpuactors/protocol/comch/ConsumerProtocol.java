package io.dpuactors.protocol.comch;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.ReceiveBatch;
import io.dpuactors.protocol.Request;
import io.dpuactors.protocol.TaskReply.Ownership;
import org.apache.pekko.actor.typed.ActorRef;

/** What a {@code ComchConsumer} understands. */
public final class ConsumerProtocol {
  private ConsumerProtocol() {}

  /** Any message to the consumer. */
  public sealed interface Command {}

  /** A message that posts something. */
  public sealed interface PostRequest extends Command, Request {}

  /**
   * Post a buffer for a producer of the peer to fill; posted buffers are filled in order. Lends the
   * buffer until the answer, for which there is no deadline: it comes when data come, or when the
   * consumer ends.
   *
   * @param dst of the consumer's pool
   * @param tag comes back in the answer
   */
  public record Post(Buffer dst, long tag, ActorRef<ConsumerReply> replyTo) implements PostRequest {
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
   * Post many buffers: for those who know how much will come, since it is answered when the last is
   * filled, or the consumer ends. They are filled in order, after what was posted before and before
   * what is posted next, as many at a time as the consumer's window says. Gives the batch to the
   * consumer until the answer, and lends its buffers. In the consumer's queue it is one request.
   *
   * @param batch of buffers of the consumer's pool
   * @param tag comes back in the answer
   */
  public record PostBatch(ReceiveBatch batch, long tag, ActorRef<BatchReply> replyTo)
      implements PostRequest {
    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new BatchFailed(tag, error, batch, Ownership.RETURNED));
    }
  }

  /** The answer to {@link PostBatch}. */
  public sealed interface BatchReply {
    /** Of the request. */
    long tag();

    /** Of the request. */
    ReceiveBatch batch();
  }

  /** Every buffer is filled, or was not, which the batch knows. It is the receiver's again. */
  public record BatchEnded(long tag, ReceiveBatch batch) implements BatchReply {}

  /**
   * Nothing was posted, or nobody can tell.
   *
   * @param ownership RETURNED: the batch is the receiver's again. RETAINED: its buffers go back to
   *     their pool by themselves, and the receiver must touch neither them nor the batch
   */
  public record BatchFailed(long tag, DocaError error, ReceiveBatch batch, Ownership ownership)
      implements BatchReply {}

  /** Window and queue are full; nothing was posted. The batch is the receiver's again. */
  public record BatchBusy(long tag, ReceiveBatch batch, int queued) implements BatchReply {}

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
