package io.dpuactors.benchmarks.load;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.protocol.ContextReply;
import io.dpuactors.protocol.ContextReply.OpenFailed;
import io.dpuactors.protocol.ContextReply.Opened;
import io.dpuactors.protocol.MemoryProtocol.PoolFailed;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.japi.function.Function;

/** Waits for answers of actors, on threads that no actor uses. */
public final class Asking {
  private Asking() {}

  /**
   * Asks an actor and waits for its answer.
   *
   * @throws IllegalStateException without an answer within the limit
   */
  public static <C, R> R ask(
      ActorSystem<?> system, ActorRef<C> actor, Function<ActorRef<R>, C> message, Duration limit) {
    return await(
        AskPattern.ask(actor, message, limit, system.scheduler()).toCompletableFuture(),
        limit.plusSeconds(1));
  }

  /**
   * Waits for a future.
   *
   * @throws IllegalStateException when it fails, or does not complete within the limit
   */
  public static <R> R await(CompletableFuture<R> future, Duration limit) {
    try {
      return future.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("no answer from an actor", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for an actor", e);
    }
  }

  /** Returns the opened context, or throws the cause as an {@link IllegalStateException}. */
  public static <C> ActorRef<C> opened(ContextReply<C> reply) {
    if (reply instanceof Opened<C> opened) {
      return opened.context();
    }
    throw new IllegalStateException(
        reply instanceof OpenFailed<C> failed ? failed.error().toString() : reply.toString());
  }

  /** Returns the opened pool, or throws the cause as an {@link IllegalStateException}. */
  public static BufferPool opened(PoolReply reply) {
    if (reply instanceof PoolOpened opened) {
      return opened.pool();
    }
    throw new IllegalStateException(((PoolFailed) reply).error().toString());
  }
}
