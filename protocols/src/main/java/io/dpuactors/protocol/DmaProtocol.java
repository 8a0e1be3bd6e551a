package io.dpuactors.protocol;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DmaCapabilities;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskKind;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * What a {@code DmaContext} understands.
 *
 * <p>A DMA context does not survive the failure of a copy: DOCA takes it down, every copy that it
 * holds is answered with an error, and its supervisor decides whether it comes back.
 */
public final class DmaProtocol {
  private DmaProtocol() {}

  /** Any message to the context. */
  public sealed interface Command {}

  /**
   * Copy the content of one buffer into another, whose window must have room for all of it. Either
   * may be of imported memory. Answer: {@link TaskReply}, without checksums.
   */
  public record Copy(Buffer src, Buffer dst, long tag, ActorRef<TaskReply> replyTo)
      implements Command, TaskRequest {
    /** A request that needs no tag. */
    public Copy(Buffer src, Buffer dst, ActorRef<TaskReply> replyTo) {
      this(src, dst, 0, replyTo);
    }

    @Override
    public TaskKind kind() {
      return TaskKind.DMA_MEMCPY;
    }
  }

  /**
   * Many copies in one message: of each source of the batch into its destination. Answer: one
   * {@link BatchReply}, without checksums.
   */
  public record CopyBatch(TaskBatch batch, long tag, ActorRef<BatchReply> replyTo)
      implements Command, BatchRequest {
    @Override
    public TaskKind kind() {
      return TaskKind.DMA_MEMCPY;
    }
  }

  /** Ask what the context's device can do. Answer: {@link DmaCapabilities}. */
  public record GetCapabilities(ActorRef<DmaCapabilities> replyTo) implements Command {}

  /**
   * Stop the context: tasks in flight finish, queued requests are answered with {@code
   * DOCA_ERROR_SHUTDOWN}, the DOCA context is stopped and destroyed, then the actor ends. Watch it
   * to know when.
   */
  public enum Stop implements Command {
    /** The only one. */
    INSTANCE
  }
}
