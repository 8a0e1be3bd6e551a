package io.dpuactors.protocol;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskHandle;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.RdmaConnectionProtocol.Completed;
import io.dpuactors.protocol.RdmaConnectionProtocol.PeerRequest;
import io.dpuactors.protocol.RdmaConnectionProtocol.Reply;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/**
 * Messages about sync events of RDMA peers. An {@code RdmaContext} opens them; its connections read
 * and change them.
 */
public final class RdmaEventProtocol {
  private RdmaEventProtocol() {}

  /**
   * A sync event of a peer, for the connections of one context. The import ends with {@link
   * CloseRemoteEvent} or with its owner, and at the latest with the context or its restart.
   * Requests that name an ended one are refused.
   */
  public record RemoteEvent(TaskHandle handle) {}

  /**
   * Opens a sync event of a peer. Answer: {@link OpenReply}.
   *
   * @param description the peer's answer to {@link SyncEventProtocol.Share}
   * @param owner the event is closed after this actor has ended and the requests on the event have
   *     completed; empty: {@link CloseRemoteEvent} or the end of the context closes the event
   */
  @SuppressWarnings("ArrayRecordComponent") // no code compares requests
  public record OpenRemoteEvent(
      byte[] description, Optional<ActorRef<?>> owner, ActorRef<OpenReply> replyTo)
      implements RdmaProtocol.Command, Request {
    /** An event that no actor owns. */
    public OpenRemoteEvent(byte[] description, ActorRef<OpenReply> replyTo) {
      this(description, Optional.empty(), replyTo);
    }

    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new RemoteEventRefused(error));
    }
  }

  /** The answer to {@link OpenRemoteEvent}. */
  public sealed interface OpenReply extends LocalMessage {}

  /** Connections of the context accept requests on the event. */
  public record RemoteEventOpened(RemoteEvent event) implements OpenReply {}

  /**
   * The event is not open. INVALID_VALUE: the description is damaged, or its event has ended;
   * NOT_SUPPORTED: by the device; BAD_STATE: the context does not run.
   */
  public record RemoteEventRefused(DocaError error) implements OpenReply {}

  /**
   * Closes a sync event of a peer after the requests that use it. Further requests are refused at
   * once. The event of the peer does not change.
   */
  public record CloseRemoteEvent(RemoteEvent event, ActorRef<RemoteEventClosed> replyTo)
      implements RdmaProtocol.Command, Request {
    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new RemoteEventClosed(event, Optional.of(error)));
    }
  }

  /**
   * The answer to {@link CloseRemoteEvent}.
   *
   * @param failure empty if the event is closed
   */
  public record RemoteEventClosed(RemoteEvent event, Optional<DocaError> failure)
      implements LocalMessage {}

  /**
   * A task of a connection on a sync event of its peer. The device executes it in the order of all
   * tasks of the connection. A task on an event that its owner has ended fails, and ends the
   * connection.
   */
  public sealed interface EventRequest extends PeerRequest permits GetEvent, SetEvent, AddToEvent {
    /** Returns the event. */
    RemoteEvent event();

    /** Returns the value to set or to add. */
    default long value() {
      return 0;
    }

    @Override
    default TaskHandle handle() {
      return event().handle();
    }

    /**
     * Answers that the device has executed the task.
     *
     * @param result the value of the event, or the value before an addition
     */
    default void completed(long result) {
      replyTo().tell(new EventValue(tag(), result));
    }
  }

  /** Reads the value. Needs RDMA_READ of the peer's context. Answer: {@link EventValue}. */
  public record GetEvent(RemoteEvent event, long tag, ActorRef<Reply> replyTo)
      implements EventRequest {
    @Override
    public TaskKind kind() {
      return TaskKind.RDMA_EVENT_GET;
    }
  }

  /** Sets the value. Needs RDMA_WRITE of the peer's context. Answer: {@link Completed}. */
  public record SetEvent(RemoteEvent event, long value, long tag, ActorRef<Reply> replyTo)
      implements EventRequest {
    @Override
    public TaskKind kind() {
      return TaskKind.RDMA_EVENT_SET;
    }

    @Override
    public void completed(long result) {
      completed();
    }
  }

  /**
   * Adds to the value atomically. Needs RDMA_ATOMIC of the peer's context. Answer: {@link
   * EventValue} with the value before.
   */
  public record AddToEvent(RemoteEvent event, long value, long tag, ActorRef<Reply> replyTo)
      implements EventRequest {
    @Override
    public TaskKind kind() {
      return TaskKind.RDMA_EVENT_ADD;
    }
  }

  /** The value of an event, or its value before an addition. */
  public record EventValue(long tag, long value) implements Reply {
    @Override
    public @Nullable Buffer src() {
      return null;
    }

    @Override
    public @Nullable Buffer dst() {
      return null;
    }
  }
}
