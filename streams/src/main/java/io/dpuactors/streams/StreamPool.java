package io.dpuactors.streams;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.MemoryProtocol.ClosePool;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolClosed;
import io.dpuactors.protocol.MemoryProtocol.PoolFailed;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.pattern.Patterns;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one stream, as a pool of an engine. Thread: any.
 *
 * @param system the actor system of the stream
 * @param engine the engine of the pool
 */
record StreamPool(ActorSystem<?> system, ActorRef<EngineProtocol.Command> engine) {
  /** Limit for a close; the deadlines of the configuration are shorter. */
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(60);

  private static final int CLOSE_ATTEMPTS = 100;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(100);

  CompletionStage<BufferPool> open(PoolOptions options) {
    return AskPattern.<EngineProtocol.Command, PoolReply>ask(
            engine,
            me -> new OpenPool(options, me),
            StreamLimits.openDeadline(system),
            system.scheduler())
        .thenApply(
            reply -> {
              if (reply instanceof PoolFailed failed) {
                throw new DocaException(failed.error());
              }
              return ((PoolOpened) reply).pool();
            });
  }

  /** Closes the pool. A device that still has a buffer after the stop delays this. */
  CompletionStage<Done> close(BufferPool pool) {
    return Patterns.retry(
        () -> closeOnce(pool), CLOSE_ATTEMPTS, FIRST_PAUSE, LONGEST_PAUSE, 0, system);
  }

  private CompletionStage<Done> closeOnce(BufferPool pool) {
    return AskPattern.<EngineProtocol.Command, PoolClosed>ask(
            engine, me -> new ClosePool(pool, me), CLOSE_LIMIT, system.scheduler())
        .exceptionallyCompose(none -> closedByEngine(pool, none))
        .thenApply(
            closed -> {
              closed
                  .failure()
                  .ifPresent(
                      error -> {
                        throw new DocaException(error);
                      });
              return Done.getInstance();
            });
  }

  /** An engine that has ended does not answer. Its pools are closed: that is no failure. */
  private static CompletionStage<PoolClosed> closedByEngine(BufferPool pool, Throwable noAnswer) {
    return pool.isClosed()
        ? CompletableFuture.completedStage(new PoolClosed(Optional.empty()))
        : CompletableFuture.failedStage(noAnswer);
  }

  /** Returns a free buffer: there are as many as the stream has in flight. */
  static Buffer lease(BufferPool pool) {
    Buffer buffer = free(pool);
    if (buffer == null) {
      throw Failures.exception("lease", DocaCode.SHUTDOWN, "the engine stops or has ended");
    }
    return buffer;
  }

  /** Returns a free buffer; null if there is none, or the engine stops or has ended. */
  static @Nullable Buffer free(BufferPool pool) {
    try {
      return pool.lease();
    } catch (IllegalStateException closed) { // the engine has ended
      return null;
    }
  }

  /** Copies bytes into a buffer. */
  static void fill(Buffer buffer, ByteString bytes) {
    bytes.copyToBuffer(buffer.bytes());
    buffer.length(bytes.size());
  }
}
