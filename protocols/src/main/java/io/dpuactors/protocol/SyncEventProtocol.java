package io.dpuactors.protocol;

import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskKind;
import java.util.Arrays;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Messages to a sync event: a number of 64 bits that both sides of the PCI bus read, change and
 * wait for. Requests that read or change it take effect in the order of their arrival within each
 * kind. A request that waits occupies no thread.
 *
 * <p>At its deadline a request is answered with TIME_OUT. The device keeps a late wait until the
 * value fits or the context stops, and it counts in the window until then.
 *
 * <p>A restart of the context creates a new event with the value 0 and no description, or imports
 * the event again.
 */
public final class SyncEventProtocol {
  private SyncEventProtocol() {}

  /** A message to the context. */
  public sealed interface Command extends LocalMessage permits EventRequest, Export, Share, Stop {}

  /** The answer to the command that opens a sync event. */
  public sealed interface OpenReply extends ContextReply<Command> {}

  /** The context is running. */
  public record Opened(String name, ActorRef<Command> context)
      implements OpenReply, ContextReply.Opened<Command> {}

  /** The start failed, and the actor has stopped. */
  public record OpenFailed(String name, DocaError error)
      implements OpenReply, ContextReply.OpenFailed<Command> {}

  /** A request. Exactly one {@link Reply} answers it. */
  public sealed interface EventRequest extends Command, DeviceRequest
      permits Get, Set, Add, AwaitEqual, AwaitNotEqual {
    /** Returns the value to set, to add or to compare with. */
    default long value() {
      return 0;
    }

    /** Returns the bits that a wait compares. */
    default long mask() {
      return 0;
    }

    /** Returns the tag that the reply repeats. */
    long tag();

    @Override
    ActorRef<Reply> replyTo();

    /**
     * Answers that the device has completed the request.
     *
     * @param result of a {@link Get} or {@link Add}
     */
    default void completed(long result) {
      replyTo().tell(new Done(tag()));
    }

    @Override
    default void failed(DocaError error, TaskReply.Ownership ownership) {
      replyTo().tell(new Failed(tag(), error));
    }

    @Override
    default void busy(int waiting) {
      replyTo().tell(new BusyReplies.EventBusy(tag(), waiting));
    }
  }

  /** Reads the value. Answer: {@link Value}. */
  public record Get(long tag, ActorRef<Reply> replyTo) implements EventRequest {
    @Override
    public TaskKind kind() {
      return TaskKind.EVENT_GET;
    }

    @Override
    public void completed(long result) {
      replyTo.tell(new Value(tag, result));
    }
  }

  /** Sets the value. Answer: {@link Done}. */
  public record Set(long value, long tag, ActorRef<Reply> replyTo) implements EventRequest {
    @Override
    public TaskKind kind() {
      return TaskKind.EVENT_SET;
    }
  }

  /** Adds to the value atomically. Answer: {@link Value} with the value before. */
  public record Add(long value, long tag, ActorRef<Reply> replyTo) implements EventRequest {
    @Override
    public TaskKind kind() {
      return TaskKind.EVENT_ADD;
    }

    @Override
    public void completed(long result) {
      replyTo.tell(new Value(tag, result));
    }
  }

  /**
   * Waits until the masked value is equal to {@code value}. Answer: {@link Done}.
   *
   * @param mask 0, or 1, 2, 4 or 8 adjacent bytes of 0xff
   */
  public record AwaitEqual(long value, long mask, long tag, ActorRef<Reply> replyTo)
      implements EventRequest {
    /** Compares all bits. */
    public AwaitEqual(long value, long tag, ActorRef<Reply> replyTo) {
      this(value, -1, tag, replyTo);
    }

    @Override
    public TaskKind kind() {
      return TaskKind.EVENT_WAIT_EQUAL;
    }
  }

  /**
   * Waits until the masked value differs from {@code value}. Answer: {@link Done}.
   *
   * @param mask as of {@link AwaitEqual}
   */
  public record AwaitNotEqual(long value, long mask, long tag, ActorRef<Reply> replyTo)
      implements EventRequest {
    /** Compares all bits. */
    public AwaitNotEqual(long value, long tag, ActorRef<Reply> replyTo) {
      this(value, -1, tag, replyTo);
    }

    @Override
    public TaskKind kind() {
      return TaskKind.EVENT_WAIT_NOT_EQUAL;
    }
  }

  /** The answer to a request. */
  public sealed interface Reply extends LocalMessage
      permits Value, Done, Failed, BusyReplies.EventBusy {
    /** Returns the tag of the request. */
    long tag();
  }

  /** The value, or the value before an addition. */
  public record Value(long tag, long value) implements Reply {}

  /** The value is set, or the wait is over. */
  public record Done(long tag) implements Reply {}

  /** The request failed. A late request that changes the value may still do so. */
  public record Failed(long tag, DocaError error) implements Reply {}

  /**
   * Asks for a description of the event, with which the other side of the PCI bus imports it: see
   * {@link SyncEventOptions#imported}. Answer: {@link ExportReply}.
   */
  public record Export(ActorRef<ExportReply> replyTo) implements Command, Request {
    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new NotExported(error));
    }
  }

  /**
   * Asks for a description of the event for RDMA peers, with which they open it: see {@link
   * RdmaEventProtocol.OpenRemoteEvent}. The event is one of {@link
   * SyncEventOptions#publishedByRdmaPeer}. Answer: {@link ExportReply}.
   */
  public record Share(ActorRef<ExportReply> replyTo) implements Command, Request {
    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new NotExported(error));
    }
  }

  /** The answer to {@link Export} and {@link Share}. */
  public sealed interface ExportReply extends LocalMessage {}

  /** The description, which is valid until the context ends or restarts. */
  @SuppressWarnings("ArrayRecordComponent") // equals compares the content
  public record Exported(byte[] description) implements ExportReply {
    /** Copies the bytes. */
    public Exported {
      description = description.clone();
    }

    @Override
    public byte[] description() {
      return description.clone();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Exported that && Arrays.equals(description, that.description);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(description);
    }

    @Override
    public String toString() {
      return "Exported[" + description.length + " bytes]";
    }
  }

  /** The event is imported, not running, or not for this kind of peer. */
  public record NotExported(DocaError error) implements ExportReply {}
}
