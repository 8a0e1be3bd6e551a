package io.dpuactors.protocol;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.Carried;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.TaskReply.Ownership;
import org.apache.pekko.actor.typed.ActorRef;

/** Messages to a {@code ComchConsumer}. */
public final class ConsumerProtocol {
  private ConsumerProtocol() {}

  /** A message to the consumer. */
  public sealed interface Command extends LocalMessage permits PostRequest, GetId, Stop {}

  /** The answer to the command that opens a consumer. */
  public sealed interface OpenReply extends ContextReply<Command> {}

  /** The context is running. */
  public record Opened(String name, ActorRef<Command> context)
      implements OpenReply, ContextReply.Opened<Command> {}

  /** The start failed, and the actor has stopped. */
  public record OpenFailed(String name, DocaError error)
      implements OpenReply, ContextReply.OpenFailed<Command> {}

  /** A message that posts buffers. */
  public sealed interface PostRequest extends Command, DeviceRequest {
    @Override
    default TaskKind kind() {
      return TaskKind.COMCH_CONSUMER_RECV;
    }
  }

  /**
   * Posts a buffer for a producer of the peer. Producers fill posted buffers in order. If a message
   * fails after its producer has taken a buffer, the device posts that buffer again, behind all
   * others. The sender lends the buffer until the answer. The request has no deadline: its answer
   * arrives with data, or at the end of the consumer.
   *
   * @param dst a buffer of the consumer's pool
   * @param tag the answer repeats it
   */
  public record Post(Buffer dst, long tag, ActorRef<ConsumerReply> replyTo) implements PostRequest {
    /** A request without a tag. */
    public Post(Buffer dst, ActorRef<ConsumerReply> replyTo) {
      this(dst, 0, replyTo);
    }

    /** Answers that a producer has filled the buffer. */
    public void filled(int producer, byte[] immediate) {
      BufferReply.send(replyTo, new Filled(tag, dst, producer, immediate));
    }

    @Override
    public void failed(DocaError error, Ownership ownership) {
      BufferReply.send(replyTo, new PostFailed(tag, error, dst, ownership));
    }

    @Override
    public void busy(int waiting) {
      BufferReply.send(replyTo, new BusyReplies.PostBusy(tag, dst, waiting));
    }
  }

  /**
   * Posts many buffers. The {@link BatchReply} arrives when the last buffer is filled or the
   * consumer ends, so the number of messages should be known. Producers fill the buffers in order,
   * after earlier posts and before later ones; the device holds as many as the consumer's window
   * allows. The sender lends the batch and its buffers until the answer. In the consumer's queue a
   * batch counts as one request.
   *
   * @param batch {@link TaskBatch#ofReceives}, of the consumer's pool
   * @param tag the answer repeats it
   */
  public record PostBatch(TaskBatch batch, long tag, ActorRef<BatchReply> replyTo)
      implements PostRequest, BatchRequest {}

  /**
   * The answer to {@link Post}: {@link Filled}, {@link PostFailed} or {@link Busy}. The receiver
   * owns the buffer again unless it is retained.
   */
  public sealed interface ConsumerReply extends BufferReply
      permits Filled, PostFailed, BusyReplies.PostBusy {
    /** Returns the tag of the request. */
    long tag();

    /** Returns the buffer of the request. */
    Buffer dst();

    @Override
    default Carried carried() {
      return dst();
    }
  }

  /**
   * A producer has filled the buffer with {@code dst.length()} bytes.
   *
   * @param producer id of the sender
   * @param immediate 0 to 32 bytes of immediate data
   */
  @SuppressWarnings("ArrayRecordComponent") // no code compares replies
  public record Filled(long tag, Buffer dst, int producer, byte[] immediate)
      implements ConsumerReply {
    /** Returns the components, with the immediate data as size and bytes. */
    @Override
    public String toString() {
      return "Filled[tag=%d, dst=%s, producer=%d, immediate=%s]"
          .formatted(tag, dst, producer, BytesText.of(immediate));
    }
  }

  /** The buffer will not be filled. */
  public record PostFailed(long tag, DocaError error, Buffer dst, Ownership ownership)
      implements ConsumerReply {}

  /**
   * Asks for the consumer's id, the address for the peer's producers. Answer: {@link ConsumerId}.
   */
  public record GetId(ActorRef<ConsumerId> replyTo) implements Command, Request {
    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new ConsumerId(0));
    }
  }

  /**
   * The answer to {@link GetId}.
   *
   * @param id 0 if the consumer does not run
   */
  public record ConsumerId(int id) implements LocalMessage {}
}
