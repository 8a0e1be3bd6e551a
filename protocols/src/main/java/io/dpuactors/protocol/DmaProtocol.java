package io.dpuactors.protocol;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.bridge.TaskKind;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Messages to a DMA context.
 *
 * <p>A failed copy stops the DOCA context of a DMA context. All copies in flight then fail, and the
 * supervisor strategy decides about a restart.
 */
public final class DmaProtocol {
  private DmaProtocol() {}

  /** A message to the context. */
  public sealed interface Command extends LocalMessage
      permits Copy, CopyBatch, GetCapabilities, Stop {}

  /** The answer to the command that opens a DMA context. */
  public sealed interface OpenReply extends ContextReply<Command> {}

  /** The context is running. */
  public record Opened(String name, ActorRef<Command> context)
      implements OpenReply, ContextReply.Opened<Command> {}

  /** The start failed, and the actor has stopped. */
  public record OpenFailed(String name, DocaError error)
      implements OpenReply, ContextReply.OpenFailed<Command> {}

  /** One or more copies. */
  private interface Copies extends DeviceRequest {
    @Override
    default TaskKind kind() {
      return TaskKind.DMA_MEMCPY;
    }

    @Override
    default long minOutputBytes(int task, long sourceBytes) {
      return sourceBytes;
    }
  }

  /**
   * Copies the content of one buffer into another. The destination's window must have room for all
   * of it. Either buffer may belong to imported memory. Answer: {@link TaskReply} without
   * checksums.
   */
  public record Copy(Buffer src, Buffer dst, long tag, ActorRef<TaskReply> replyTo)
      implements Command, TaskRequest, Copies {
    /** A request without a tag. */
    public Copy(Buffer src, Buffer dst, ActorRef<TaskReply> replyTo) {
      this(src, dst, 0, replyTo);
    }
  }

  /**
   * Copies each source of a batch into its destination. Answer: one {@link BatchReply} without
   * checksums.
   */
  public record CopyBatch(TaskBatch batch, long tag, ActorRef<BatchReply> replyTo)
      implements Command, BatchRequest, Copies {}

  /** Asks for the capabilities of the context's device. Answer: {@link TaskCapabilities}. */
  public record GetCapabilities(ActorRef<TaskCapabilities> replyTo)
      implements Command, TaskProtocol.CapabilityQuery {}
}
