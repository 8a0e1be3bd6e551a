package io.dpuactors.protocol;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.bridge.TaskKind;
import org.apache.pekko.actor.typed.ActorRef;

/** Messages to a compress context. */
public final class CompressProtocol {
  private CompressProtocol() {}

  /** A message to the context. */
  public sealed interface Command extends LocalMessage
      permits Deflate, Inflate, Lz4Block, Lz4Stream, Batch, GetCapabilities, Stop {}

  /** The answer to the command that opens a compress context. */
  public sealed interface OpenReply extends ContextReply<Command> {}

  /** The context is running. */
  public record Opened(String name, ActorRef<Command> context)
      implements OpenReply, ContextReply.Opened<Command> {}

  /** The start failed, and the actor has stopped. */
  public record OpenFailed(String name, DocaError error)
      implements OpenReply, ContextReply.OpenFailed<Command> {}

  /**
   * Compresses into a raw DEFLATE stream (RFC 1951) without zlib or gzip frame. Answer: {@link
   * TaskReply} with CRC-32 and Adler-32 of the input.
   */
  public record Deflate(Buffer src, Buffer dst, long tag, ActorRef<TaskReply> replyTo)
      implements Command, TaskRequest {
    /** A request without a tag. */
    public Deflate(Buffer src, Buffer dst, ActorRef<TaskReply> replyTo) {
      this(src, dst, 0, replyTo);
    }

    @Override
    public TaskKind kind() {
      return TaskKind.COMPRESS_DEFLATE;
    }
  }

  /**
   * Decompresses a raw DEFLATE stream. Answer: {@link TaskReply} with CRC-32 and Adler-32 of the
   * output.
   */
  public record Inflate(Buffer src, Buffer dst, long tag, ActorRef<TaskReply> replyTo)
      implements Command, TaskRequest {
    /** A request without a tag. */
    public Inflate(Buffer src, Buffer dst, ActorRef<TaskReply> replyTo) {
      this(src, dst, 0, replyTo);
    }

    @Override
    public TaskKind kind() {
      return TaskKind.DECOMPRESS_DEFLATE;
    }
  }

  /**
   * Decompresses one raw LZ4 block. Answer: {@link TaskReply} with CRC-32 and xxHash-32 of the
   * output.
   */
  public record Lz4Block(Buffer src, Buffer dst, long tag, ActorRef<TaskReply> replyTo)
      implements Command, TaskRequest {
    /** A request without a tag. */
    public Lz4Block(Buffer src, Buffer dst, ActorRef<TaskReply> replyTo) {
      this(src, dst, 0, replyTo);
    }

    @Override
    public TaskKind kind() {
      return TaskKind.DECOMPRESS_LZ4_BLOCK;
    }
  }

  /**
   * Decompresses the blocks of an LZ4 frame, without the frame's header. Answer: {@link TaskReply}
   * with CRC-32 and xxHash-32 of the output.
   *
   * @param blockChecksums whether the frame's header announces an xxHash-32 after each block
   * @param independentBlocks whether the frame's header announces blocks without references to
   *     earlier blocks
   */
  public record Lz4Stream(
      Buffer src,
      Buffer dst,
      boolean blockChecksums,
      boolean independentBlocks,
      long tag,
      ActorRef<TaskReply> replyTo)
      implements Command, TaskRequest {
    @Override
    public TaskKind kind() {
      return TaskKind.DECOMPRESS_LZ4_STREAM;
    }

    @Override
    public long argument() {
      return (blockChecksums ? 1 : 0) | (independentBlocks ? 2 : 0);
    }
  }

  /**
   * Executes many tasks. Answer: one {@link BatchReply}; the batch holds the checksums of each
   * task.
   *
   * @param kind any kind except {@link TaskKind#DECOMPRESS_LZ4_STREAM}, whose tasks have further
   *     arguments
   */
  public record Batch(TaskKind kind, TaskBatch batch, long tag, ActorRef<BatchReply> replyTo)
      implements Command, BatchRequest {
    /** Checks the kind. */
    public Batch {
      switch (kind) {
        case COMPRESS_DEFLATE, DECOMPRESS_DEFLATE, DECOMPRESS_LZ4_BLOCK -> {}
        default -> throw new IllegalArgumentException("no batches of " + kind);
      }
    }
  }

  /** Asks for the capabilities of the context's device. Answer: {@link TaskCapabilities}. */
  public record GetCapabilities(ActorRef<TaskCapabilities> replyTo)
      implements Command, TaskProtocol.CapabilityQuery {}
}
