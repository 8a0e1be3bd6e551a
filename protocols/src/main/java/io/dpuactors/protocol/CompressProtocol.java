package io.dpuactors.protocol;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.CompressCapabilities;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskKind;
import org.apache.pekko.actor.typed.ActorRef;

/** What a {@code CompressContext} understands. */
public final class CompressProtocol {
  private CompressProtocol() {}

  /** Any message to the context. */
  public sealed interface Command {}

  /**
   * Compress to a raw DEFLATE stream (RFC 1951), without zlib or gzip frame. Answer: {@link
   * TaskReply}, with CRC-32 and Adler-32 of the input.
   */
  public record Deflate(Buffer src, Buffer dst, long tag, ActorRef<TaskReply> replyTo)
      implements Command, TaskRequest {
    /** A request that needs no tag. */
    public Deflate(Buffer src, Buffer dst, ActorRef<TaskReply> replyTo) {
      this(src, dst, 0, replyTo);
    }

    @Override
    public TaskKind kind() {
      return TaskKind.COMPRESS_DEFLATE;
    }
  }

  /**
   * Decompress a raw DEFLATE stream. Answer: {@link TaskReply}, with CRC-32 and Adler-32 of the
   * output.
   */
  public record Inflate(Buffer src, Buffer dst, long tag, ActorRef<TaskReply> replyTo)
      implements Command, TaskRequest {
    /** A request that needs no tag. */
    public Inflate(Buffer src, Buffer dst, ActorRef<TaskReply> replyTo) {
      this(src, dst, 0, replyTo);
    }

    @Override
    public TaskKind kind() {
      return TaskKind.DECOMPRESS_DEFLATE;
    }
  }

  /**
   * Decompress one raw LZ4 block. Answer: {@link TaskReply}, with CRC-32 and xxHash-32 of the
   * output.
   */
  public record Lz4Block(Buffer src, Buffer dst, long tag, ActorRef<TaskReply> replyTo)
      implements Command, TaskRequest {
    /** A request that needs no tag. */
    public Lz4Block(Buffer src, Buffer dst, ActorRef<TaskReply> replyTo) {
      this(src, dst, 0, replyTo);
    }

    @Override
    public TaskKind kind() {
      return TaskKind.DECOMPRESS_LZ4_BLOCK;
    }
  }

  /**
   * Decompress the blocks of an LZ4 frame, given without the frame's header. Answer: {@link
   * TaskReply}, with CRC-32 and xxHash-32 of the output.
   *
   * @param blockChecksums whether each block is followed by its xxHash-32, as the frame's header
   *     says
   * @param independentBlocks whether no block refers to an earlier one, as the frame's header says
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
   * Many tasks in one message. Answer: one {@link BatchReply}, with the checksums of each kind.
   *
   * @param kind any but {@link TaskKind#DECOMPRESS_LZ4_STREAM}, whose tasks say more than buffers
   *     do
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

  /** Ask what the context's device can do. Answer: {@link CompressCapabilities}. */
  public record GetCapabilities(ActorRef<CompressCapabilities> replyTo) implements Command {}

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
