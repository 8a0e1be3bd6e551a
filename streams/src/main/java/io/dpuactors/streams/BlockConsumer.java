package io.dpuactors.streams;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.Permission;
import io.dpuactors.protocol.ConnectionProtocol.OpenConsumer;
import io.dpuactors.protocol.ConsumerProtocol;
import io.dpuactors.protocol.ConsumerProtocol.ConsumerReply;
import io.dpuactors.protocol.ConsumerProtocol.Filled;
import io.dpuactors.protocol.ConsumerProtocol.Post;
import io.dpuactors.protocol.ConsumerProtocol.PostFailed;
import io.dpuactors.protocol.DataOptions;
import io.dpuactors.protocol.TaskReply.Ownership;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.util.ByteString;

/**
 * Receives the blocks of one producer of the peer. Posted buffers are filled in order. A buffer is
 * posted again when the stream asks for its element, so a slow stream stops the producer.
 */
final class BlockConsumer {
  private static final ByteString END = ByteString.emptyByteString();

  private final BlockPath path;
  private final BufferPool pool;
  private final ActorRef<ConsumerProtocol.Command> consumer;
  private final Queue<CompletionStage<Block>> posted = new ArrayDeque<>();
  private int producer;
  private boolean isClosed; // guarded by this

  private BlockConsumer(
      BlockPath path, BufferPool pool, ActorRef<ConsumerProtocol.Command> consumer) {
    this.path = path;
    this.pool = pool;
    this.consumer = consumer;
  }

  /** The content of a buffer that a producer has filled. */
  @SuppressWarnings("ArrayRecordComponent") // no code compares blocks
  private record Block(ByteString bytes, int producer, byte[] immediate) {}

  /** Opens a consumer and posts all buffers. */
  static CompletionStage<Tasks<ByteString, ByteString>> open(BlockPath path) {
    return path.open(
        0,
        Set.of(Permission.PCI_READ_WRITE),
        pool ->
            path.<ConsumerProtocol.OpenReply>ask(
                    me ->
                        new OpenConsumer(
                            Binding.name("consumer"),
                            DataOptions.into(pool)
                                .withWindow(path.window())
                                .withQueue(path.window()),
                            me))
                .thenApply(reply -> new BlockConsumer(path, pool, opened(reply)).start()));
  }

  private static ActorRef<ConsumerProtocol.Command> opened(ConsumerProtocol.OpenReply reply) {
    if (reply instanceof ConsumerProtocol.OpenFailed failed) {
      throw new DocaException(failed.error());
    }
    return ((ConsumerProtocol.Opened) reply).context();
  }

  private Tasks<ByteString, ByteString> start() {
    for (int i = 0; i < path.window(); i++) {
      post();
    }
    return new Tasks<>(unused -> next(), () -> 0, end -> close());
  }

  private synchronized void post() {
    if (isClosed) {
      return;
    }
    Buffer dst = StreamPool.lease(pool);
    posted.add(
        path.<ConsumerProtocol.Command, ConsumerReply, Block>request(
            consumer, me -> new Post(dst, me), BlockConsumer::received));
  }

  /** Copies the block and releases its buffer. */
  private static Block received(ConsumerReply reply) {
    Buffer dst = reply.dst();
    if (reply instanceof Filled filled) {
      byte[] bytes = new byte[dst.length()];
      dst.bytes().get(0, bytes);
      dst.release();
      return new Block(ByteString.fromArrayUnsafe(bytes), filled.producer(), filled.immediate());
    }
    if (!(reply instanceof PostFailed failed)) {
      dst.release();
      throw Failures.exception("receive", DocaCode.FULL, "the consumer is busy: " + reply);
    }
    if (failed.ownership() == Ownership.RETURNED) {
      dst.release();
    }
    throw new DocaException(failed.error());
  }

  /** Returns the next element; an empty one is the end. */
  private CompletionStage<ByteString> next() {
    return posted
        .remove()
        .thenApply(
            block -> {
              post();
              return element(block);
            });
  }

  private CompletionStage<Done> close() {
    synchronized (this) {
      isClosed = true;
    }
    return path.stop(consumer);
  }

  private ByteString element(Block block) {
    if (producer == 0) {
      producer = block.producer();
    }
    byte[] mark = block.immediate();
    if (producer != block.producer()) {
      throw Failures.exception(
          "receive", DocaCode.IN_USE, "a second producer sends to the consumer of a stream");
    }
    if (mark.length == 0 && !block.bytes().isEmpty()) {
      return block.bytes();
    }
    if (mark.length == 1 && mark[0] == BlockPath.END) {
      return END;
    }
    throw mark.length == 1 && mark[0] == BlockPath.FAIL
        ? Failures.exception(
            "receive", DocaCode.IO_FAILED, "the peer failed: " + block.bytes().utf8String())
        : Failures.exception(
            "receive",
            DocaCode.BAD_STATE,
            "a block with %d bytes of immediate data is none of a stream".formatted(mark.length));
  }
}
