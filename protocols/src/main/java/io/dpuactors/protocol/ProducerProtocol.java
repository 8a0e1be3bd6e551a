package io.dpuactors.protocol;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.Carried;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.TaskReply.Ownership;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/** Messages to a {@code ComchProducer}. */
public final class ProducerProtocol {
  private static final byte[] NOTHING = {};

  private ProducerProtocol() {}

  /** A message to the producer. */
  public sealed interface Command extends LocalMessage permits ProduceRequest, GetId, Stop {}

  /** The answer to the command that opens a producer. */
  public sealed interface OpenReply extends ContextReply<Command> {}

  /** The context is running. */
  public record Opened(String name, ActorRef<Command> context)
      implements OpenReply, ContextReply.Opened<Command> {}

  /** The start failed, and the actor has stopped. */
  public record OpenFailed(String name, DocaError error)
      implements OpenReply, ContextReply.OpenFailed<Command> {}

  /** A message that sends buffers. */
  public sealed interface ProduceRequest extends Command, DeviceRequest {
    @Override
    default TaskKind kind() {
      return TaskKind.COMCH_PRODUCER_SEND;
    }

    /** Returns the id of the destination, from {@link ConnectionEvent.ConsumerJoined}. */
    int consumer();
  }

  /**
   * Sends the content of a buffer to one consumer of the peer. The request waits until the consumer
   * has posted a buffer, which must be large enough. The sender lends the buffer until the answer.
   *
   * @param src null: immediate data only
   * @param immediate 0 to 32 bytes that arrive with the buffer; must not change before the answer
   * @param consumer id from {@link ConnectionEvent.ConsumerJoined}
   * @param tag the answer repeats it
   */
  @SuppressWarnings("ArrayRecordComponent") // no code compares requests
  public record Produce(
      @Nullable Buffer src,
      byte[] immediate,
      int consumer,
      long tag,
      ActorRef<ProducerReply> replyTo)
      implements ProduceRequest {
    /** A request without immediate data. */
    public Produce(Buffer src, int consumer, long tag, ActorRef<ProducerReply> replyTo) {
      this(src, NOTHING, consumer, tag, replyTo);
    }

    /** Answers that the consumer's buffer is filled. */
    public void produced() {
      BufferReply.send(replyTo, new Produced(tag, src));
    }

    @Override
    public void failed(DocaError error, Ownership ownership) {
      BufferReply.send(replyTo, new ProduceFailed(tag, error, src, ownership));
    }

    @Override
    public void busy(int waiting) {
      BufferReply.send(replyTo, new BusyReplies.ProduceBusy(tag, src, waiting));
    }

    /** Returns the components, with the immediate data as size and at most 32 bytes. */
    @Override
    public String toString() {
      return "Produce[src=%s, immediate=%s, consumer=%d, tag=%d]"
          .formatted(src, BytesText.of(immediate), consumer, tag);
    }
  }

  /**
   * Sends the content of many buffers in order, after earlier requests to the same consumer and
   * before later ones. The device holds as many as the producer's window allows, and all have one
   * deadline. The {@link BatchReply} arrives after the last buffer. The sender lends the batch and
   * its buffers to the producer until the answer. In the producer's queue a batch counts as one
   * request.
   *
   * @param batch {@link TaskBatch#ofSends}
   * @param consumer id from {@link ConnectionEvent.ConsumerJoined}
   * @param tag the answer repeats it
   */
  public record ProduceBatch(TaskBatch batch, int consumer, long tag, ActorRef<BatchReply> replyTo)
      implements ProduceRequest, BatchRequest {}

  /** The answer to {@link Produce}: {@link Produced}, {@link ProduceFailed} or {@link Busy}. */
  public sealed interface ProducerReply extends BufferReply
      permits Produced, ProduceFailed, BusyReplies.ProduceBusy {
    /** Returns the tag of the request. */
    long tag();

    /** Returns the source of the request. */
    @Nullable Buffer src();

    @Override
    default @Nullable Carried carried() {
      return src();
    }
  }

  /** The consumer's buffer is filled. The receiver owns the source again. */
  public record Produced(long tag, @Nullable Buffer src) implements ProducerReply {}

  /**
   * Nothing arrived, or the result is unknown.
   *
   * @param ownership whether the receiver owns the source again
   */
  public record ProduceFailed(long tag, DocaError error, @Nullable Buffer src, Ownership ownership)
      implements ProducerReply {}

  /** Asks for the producer's id, which its receivers see. Answer: {@link ProducerId}. */
  public record GetId(ActorRef<ProducerId> replyTo) implements Command, Request {
    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new ProducerId(0));
    }
  }

  /**
   * The answer to {@link GetId}.
   *
   * @param id 0 if the producer does not run
   */
  public record ProducerId(int id) implements LocalMessage {}
}
