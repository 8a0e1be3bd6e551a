package io.dpuactors.protocol.comch;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.SendBatch;
import io.dpuactors.protocol.Request;
import io.dpuactors.protocol.TaskReply.Ownership;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/** What a {@code ComchProducer} understands. */
public final class ProducerProtocol {
  private static final byte[] NOTHING = {};

  private ProducerProtocol() {}

  /** Any message to the producer. */
  public sealed interface Command {}

  /** A message that sends something. */
  public sealed interface ProduceRequest extends Command, Request {
    /** To whom: id from {@link ConnectionEvent.ConsumerJoined}. */
    int consumer();
  }

  /**
   * Send the content of a buffer to one consumer of the peer, which must have posted a buffer that
   * is large enough; until it has, the request waits. Lends the buffer until the answer.
   *
   * @param src null: immediate data only
   * @param immediate 0 to 32 bytes that arrive with it; not changed until the answer
   * @param consumer id from {@link ConnectionEvent.ConsumerJoined}
   * @param tag comes back in the answer
   */
  @SuppressWarnings("ArrayRecordComponent") // Nobody compares requests.
  public record Produce(
      @Nullable Buffer src,
      byte[] immediate,
      int consumer,
      long tag,
      ActorRef<ProducerReply> replyTo)
      implements ProduceRequest {
    /** Without immediate data. */
    public Produce(Buffer src, int consumer, long tag, ActorRef<ProducerReply> replyTo) {
      this(src, NOTHING, consumer, tag, replyTo);
    }

    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new ProduceFailed(tag, error, src, Ownership.RETURNED));
    }
  }

  /**
   * Send the content of many buffers, in order, after what was sent to the same consumer before and
   * before what is sent next; as many are in flight at a time as the producer's window says, and
   * all have one deadline. Answered when the last of them has ended. Gives the batch to the
   * producer until the answer, and lends its buffers. In the producer's queue it is one request.
   *
   * @param consumer id from {@link ConnectionEvent.ConsumerJoined}
   * @param tag comes back in the answer
   */
  public record ProduceBatch(SendBatch batch, int consumer, long tag, ActorRef<BatchReply> replyTo)
      implements ProduceRequest {
    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new BatchFailed(tag, error, batch, Ownership.RETURNED));
    }
  }

  /** The answer to {@link ProduceBatch}. */
  public sealed interface BatchReply {
    /** Of the request. */
    long tag();

    /** Of the request. */
    SendBatch batch();
  }

  /** Every buffer was sent, or was not, which the batch knows. It is the receiver's again. */
  public record BatchEnded(long tag, SendBatch batch) implements BatchReply {}

  /**
   * Nothing was sent, or nobody can tell how much.
   *
   * @param ownership RETURNED: the batch is the receiver's again. RETAINED: its buffers go back to
   *     their pools by themselves, and the receiver must touch neither them nor the batch
   */
  public record BatchFailed(long tag, DocaError error, SendBatch batch, Ownership ownership)
      implements BatchReply {}

  /** Window and queue are full; nothing was started. The batch is the receiver's again. */
  public record BatchBusy(long tag, SendBatch batch, int queued) implements BatchReply {}

  /** The answer to {@link Produce}. */
  public sealed interface ProducerReply {
    /** Of the request. */
    long tag();

    /** Of the request. */
    @Nullable Buffer src();
  }

  /** The consumer's buffer is filled. The source is the receiver's again. */
  public record Produced(long tag, @Nullable Buffer src) implements ProducerReply {}

  /**
   * Nothing arrived, or nobody can tell.
   *
   * @param ownership whether the source is the receiver's again
   */
  public record ProduceFailed(long tag, DocaError error, @Nullable Buffer src, Ownership ownership)
      implements ProducerReply {}

  /** Window and queue are full; nothing was started. The source is the receiver's again. */
  public record ProduceBusy(long tag, @Nullable Buffer src, int queued) implements ProducerReply {}

  /** Ask for the producer's id, which its receivers see. Answer: {@link ProducerId}. */
  public record GetId(ActorRef<ProducerId> replyTo) implements Command {}

  /**
   * The answer to {@link GetId}.
   *
   * @param id 0: the producer does not run
   */
  public record ProducerId(int id) {}

  /**
   * Stop the producer: what is in flight ends within the drain deadline, what waits is answered
   * with {@code DOCA_ERROR_SHUTDOWN}, then the actor ends.
   */
  public enum Stop implements Command {
    /** The only one. */
    INSTANCE
  }
}
