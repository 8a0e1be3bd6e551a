package io.dpuactors.protocol;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.Carried;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.RdmaReceiveProtocol.ReceiveMessage;
import io.dpuactors.protocol.TaskReply.Ownership;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/**
 * Messages to a connection of an {@code RdmaContext}.
 *
 * <p>The device executes the tasks of a connection in the order of their requests, and each request
 * gets exactly one {@link Reply} or {@link BatchReply}. Tasks of different kinds keep their order,
 * too. A failed task ends its connection: all its other requests fail.
 */
public final class RdmaConnectionProtocol {
  private RdmaConnectionProtocol() {}

  /** A message to the connection. */
  public sealed interface Command extends LocalMessage
      permits PeerRequest, Batch, Connect, ReceiveMessage, Subscribe, Grant, Stop {}

  /** The answer to the command that opens a client. */
  public sealed interface OpenReply extends ContextReply<Command> {}

  /** The client is connected. */
  public record Opened(String name, ActorRef<Command> context)
      implements OpenReply, ContextReply.Opened<Command> {}

  /** The open-deadline has passed, and the client continues to connect. */
  public record Opening(String name, ActorRef<Command> context, DocaError error)
      implements OpenReply, ContextReply.Opening<Command> {}

  /** No listener accepted the client, and its actor has stopped. */
  public record OpenFailed(String name, DocaError error)
      implements OpenReply, ContextReply.OpenFailed<Command> {}

  /**
   * Connects an exported connection with the one that the peer has described. Both sides do this.
   *
   * @param details of the peer's {@link RdmaProtocol.Exported}
   * @param replyTo receives a {@link ConnectReply}
   */
  @SuppressWarnings("ArrayRecordComponent") // no code compares requests
  public record Connect(byte[] details, ActorRef<ConnectReply> replyTo)
      implements Command, Request {
    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new ConnectFailed(error));
    }
  }

  /** The answer to {@link Connect}. */
  public sealed interface ConnectReply extends LocalMessage {}

  /** The connection is connected. */
  public record Connected() implements ConnectReply {}

  /** The description is damaged, the peer has ended, or the connection is connected already. */
  public record ConnectFailed(DocaError error) implements ConnectReply {}

  /** A task on the connection. The sender lends the buffers until the answer. */
  public sealed interface PeerRequest extends Command, PeerTask
      permits Write, Read, Send, CompareAndSwap, FetchAndAdd, RdmaEventProtocol.EventRequest {
    /** Returns the data that arrives with a message or a write; empty for other tasks. */
    default OptionalInt immediate() {
      return OptionalInt.empty();
    }
  }

  /**
   * Writes the content of a buffer into memory of the peer, from the beginning of the part that the
   * lease is aimed at.
   *
   * @param src local
   * @param dst a lease of memory of the peer, with room for the content
   * @param immediate if present, the peer receives a {@link Written} after the data, and needs a
   *     posted receive
   */
  public record Write(
      Buffer src, Buffer dst, OptionalInt immediate, long tag, ActorRef<Reply> replyTo)
      implements PeerRequest {
    /** A request without immediate data. */
    public Write(Buffer src, Buffer dst, long tag, ActorRef<Reply> replyTo) {
      this(src, dst, OptionalInt.empty(), tag, replyTo);
    }

    @Override
    public TaskKind kind() {
      return immediate.isPresent() ? TaskKind.RDMA_WRITE_IMMEDIATE : TaskKind.RDMA_WRITE;
    }
  }

  /**
   * Reads memory of the peer into a buffer.
   *
   * @param src a lease of memory of the peer, aimed at the part to read
   * @param dst local, with room for the part
   */
  public record Read(Buffer src, Buffer dst, long tag, ActorRef<Reply> replyTo)
      implements PeerRequest {
    @Override
    public TaskKind kind() {
      return TaskKind.RDMA_READ;
    }
  }

  /**
   * Sends the content of a buffer as one message into a receive of the peer. The message waits for
   * a posted receive as long as the context's {@code rnr-retries} allow. A message that is larger
   * than the receive fails on both sides.
   *
   * @param src null: a message without bytes
   * @param immediate arrives with the message
   */
  public record Send(@Nullable Buffer src, OptionalInt immediate, long tag, ActorRef<Reply> replyTo)
      implements PeerRequest {
    /** A request without immediate data. */
    public Send(Buffer src, long tag, ActorRef<Reply> replyTo) {
      this(src, OptionalInt.empty(), tag, replyTo);
    }

    @Override
    public TaskKind kind() {
      return immediate.isPresent() ? TaskKind.RDMA_SEND_IMMEDIATE : TaskKind.RDMA_SEND;
    }
  }

  /**
   * Replaces a number of the peer if it has the expected value. Atomic with all changes of the
   * number by RDMA, and with atomic instructions of the peer's program.
   *
   * @param src a lease of memory of the peer, aimed at 8 bytes whose address is a multiple of 8
   * @param dst local, with room for 8 bytes; receives the old number in native byte order
   */
  public record CompareAndSwap(
      Buffer src, Buffer dst, long expected, long value, long tag, ActorRef<Reply> replyTo)
      implements PeerRequest {
    @Override
    public TaskKind kind() {
      return TaskKind.RDMA_COMPARE_AND_SWAP;
    }
  }

  /** Adds to a number of the peer, with the buffers and the atomicity of {@link CompareAndSwap}. */
  public record FetchAndAdd(Buffer src, Buffer dst, long summand, long tag, ActorRef<Reply> replyTo)
      implements PeerRequest {
    @Override
    public TaskKind kind() {
      return TaskKind.RDMA_FETCH_AND_ADD;
    }
  }

  /**
   * Executes many tasks without immediate data, after earlier requests and before later ones. The
   * device holds as many as the connection's window allows. Answer: one {@link BatchReply}. After a
   * task that fails on the device, the later tasks fail too.
   *
   * @param kind {@link TaskKind#RDMA_WRITE}, {@link TaskKind#RDMA_READ} or {@link
   *     TaskKind#RDMA_SEND}
   * @param batch buffers as those of {@link Write}, {@link Read} or {@link Send}
   */
  public record Batch(TaskKind kind, TaskBatch batch, long tag, ActorRef<BatchReply> replyTo)
      implements Command, BatchRequest {
    /** Checks the kind. */
    public Batch {
      switch (kind) {
        case RDMA_WRITE, RDMA_READ, RDMA_SEND -> {}
        default -> throw new IllegalArgumentException("no batches of " + kind);
      }
    }
  }

  /**
   * The answer to a {@link PeerRequest}: {@link Completed}, {@link RdmaEventProtocol.EventValue},
   * {@link Failed} or {@link Busy}.
   */
  public sealed interface Reply extends BufferReply
      permits Completed, RdmaEventProtocol.EventValue, Failed, BusyReplies.PeerBusy {
    /** Returns the tag of the request. */
    long tag();

    /** Returns the first buffer of the request; null for an event. */
    @Nullable Buffer src();

    /** Returns the second buffer of the request; null for a message and for an event. */
    @Nullable Buffer dst();

    @Override
    default @Nullable Carried carried() {
      return src();
    }

    @Override
    default @Nullable Carried alsoCarried() {
      return dst();
    }
  }

  /** The device has executed the task, and its effect on the peer is complete. */
  public record Completed(long tag, @Nullable Buffer src, @Nullable Buffer dst) implements Reply {}

  /**
   * The task failed, or its deadline passed.
   *
   * @param ownership whether the receiver owns the buffers again
   */
  public record Failed(
      long tag, DocaError error, @Nullable Buffer src, @Nullable Buffer dst, Ownership ownership)
      implements Reply {
    /** Returns the DOCA code of the failure. */
    public DocaCode code() {
      return error.code();
    }
  }

  /**
   * Subscribes an actor to the events of the connection, in place of all earlier subscribers. A
   * connection with a behavior never refuses a subscriber: the behavior loses its events. The
   * subscriber of a connection that has ended receives {@link Closed}.
   *
   * @param credit number of messages that the subscriber receives before its first {@link Grant},
   *     at least 1
   */
  public record Subscribe(ActorRef<Event> subscriber, int credit) implements Command, Request {
    /** Checks the range. */
    public Subscribe {
      Credit.require(credit);
    }

    @Override
    public void refuse(DocaError error) {
      subscriber.tell(new Closed(Optional.of(error)));
    }
  }

  /**
   * Allows the connection to deliver more messages to the subscriber.
   *
   * @param messages at least 1
   */
  public record Grant(int messages) implements Command {
    /** Checks the range. */
    public Grant {
      Credit.require(messages);
    }
  }

  /** An event of the connection. The subscriber receives events in their order. */
  public sealed interface Event extends LocalMessage {}

  /**
   * A message of the peer. Takes one of the subscriber's credit.
   *
   * @param bytes owned by the receiver
   * @param immediate data beside the bytes
   */
  @SuppressWarnings("ArrayRecordComponent") // no code compares messages
  public record Message(byte[] bytes, OptionalInt immediate) implements Event {
    /** Returns the bytes as UTF-8 text. */
    public String text() {
      return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Returns the size, at most 32 bytes, and the immediate data. */
    @Override
    public String toString() {
      return "Message[%s, immediate=%s]".formatted(BytesText.of(bytes), immediate);
    }
  }

  /**
   * The peer has written memory of this program with immediate data. Takes one of the subscriber's
   * credit.
   *
   * @param length number of written bytes
   * @param immediate data beside the bytes
   */
  public record Written(long length, int immediate) implements Event {}

  /**
   * The connection has ended; the last event.
   *
   * @param error the cause; empty if this side closed the connection
   */
  public record Closed(Optional<DocaError> error) implements Event {}
}
