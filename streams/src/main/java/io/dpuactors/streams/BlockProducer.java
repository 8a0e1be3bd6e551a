package io.dpuactors.streams;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.MemoryOptions;
import io.dpuactors.protocol.ConnectionProtocol.AwaitConsumer;
import io.dpuactors.protocol.ConnectionProtocol.AwaitReply;
import io.dpuactors.protocol.ConnectionProtocol.ConsumerThere;
import io.dpuactors.protocol.ConnectionProtocol.NoConsumer;
import io.dpuactors.protocol.ConnectionProtocol.OpenProducer;
import io.dpuactors.protocol.DataOptions;
import io.dpuactors.protocol.ProducerProtocol;
import io.dpuactors.protocol.ProducerProtocol.Produce;
import io.dpuactors.protocol.ProducerProtocol.ProduceFailed;
import io.dpuactors.protocol.ProducerProtocol.Produced;
import io.dpuactors.protocol.ProducerProtocol.ProducerReply;
import io.dpuactors.protocol.TaskReply.Ownership;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/** Sends the elements of a stream as blocks to one consumer of the peer. */
final class BlockProducer {
  private static final byte[] ELEMENT = {};

  private final BlockPath path;
  private final BufferPool pool;
  private final ActorRef<ProducerProtocol.Command> producer;
  private final int consumer;

  private BlockProducer(
      BlockPath path, BufferPool pool, ActorRef<ProducerProtocol.Command> producer, int consumer) {
    this.path = path;
    this.pool = pool;
    this.producer = producer;
    this.consumer = consumer;
  }

  /** Opens a producer after the peer has opened a consumer. */
  static CompletionStage<Tasks<ByteString, ByteString>> open(BlockPath path) {
    return path.open(
        1, // for the text of a failure
        MemoryOptions.defaults().permissions(),
        pool ->
            awaitConsumer(path)
                .thenCompose(
                    consumer ->
                        openProducer(path)
                            .thenApply(opened -> new BlockProducer(path, pool, opened, consumer)))
                .thenApply(
                    one -> new Tasks<ByteString, ByteString>(one::send, () -> 0, one::close)));
  }

  private static CompletionStage<Integer> awaitConsumer(BlockPath path) {
    return path.<AwaitReply>ask(me -> new AwaitConsumer(path.openLimit(), me))
        .thenApply(
            reply -> {
              if (reply instanceof NoConsumer none) {
                throw new DocaException(none.error());
              }
              return ((ConsumerThere) reply).consumer();
            });
  }

  private static CompletionStage<ActorRef<ProducerProtocol.Command>> openProducer(BlockPath path) {
    // The queue takes all blocks and the end while the ring of the engine is full.
    DataOptions options =
        DataOptions.defaults()
            .withWindow(path.window())
            .withQueue(path.window() + 1)
            .withDeadline(BlockPath.UNLIMITED);
    return path.<ProducerProtocol.OpenReply>ask(
            me -> new OpenProducer(Binding.name("producer"), options, me))
        .thenApply(
            reply -> {
              if (reply instanceof ProducerProtocol.OpenFailed failed) {
                throw new DocaException(failed.error());
              }
              return ((ProducerProtocol.Opened) reply).context();
            });
  }

  private CompletionStage<ByteString> send(ByteString element) {
    if (element.isEmpty() || element.size() > path.blockBytes()) {
      return CompletableFuture.failedStage(
          Failures.exception(
              "send",
              DocaCode.INVALID_VALUE,
              "the element has %d bytes; a block has 1 to %d"
                  .formatted(element.size(), path.blockBytes())));
    }
    Buffer src = StreamPool.lease(pool);
    StreamPool.fill(src, element);
    return send(src, ELEMENT).thenApply(done -> element);
  }

  private CompletionStage<Done> send(@Nullable Buffer src, byte... immediate) {
    return path.<ProducerProtocol.Command, ProducerReply, Done>request(
        producer,
        me -> new Produce(src, immediate, consumer, 0, me),
        reply -> {
          if (reply instanceof ProduceFailed failed) {
            release(failed.ownership() == Ownership.RETURNED ? src : null);
            throw new DocaException(failed.error());
          }
          release(src);
          if (!(reply instanceof Produced)) {
            throw Failures.exception("send", DocaCode.FULL, "the producer is busy: " + reply);
          }
          return Done.getInstance();
        });
  }

  private static void release(@Nullable Buffer src) {
    if (src != null) {
      src.release();
    }
  }

  /**
   * Sends the end or the failure, then stops the producer. A stop refuses requests that wait for
   * the window, so the stop follows the answer. A failure waits no longer than the drain deadline.
   */
  private CompletionStage<Done> close(Optional<Throwable> failure) {
    if (failure.isEmpty()) {
      return Tasks.then(send(null, BlockPath.END), () -> path.stop(producer));
    }
    Buffer free = StreamPool.free(pool);
    if (free != null) {
      StreamPool.fill(
          free, ByteString.fromString(failure.get().toString()).take(path.blockBytes()));
    }
    return Tasks.then(path.withinDrainLimit(send(free, BlockPath.FAIL)), () -> path.stop(producer));
  }
}
