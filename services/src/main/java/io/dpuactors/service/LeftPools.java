package io.dpuactors.service;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.protocol.MemoryProtocol;
import io.dpuactors.protocol.MemoryProtocol.ClosePool;
import io.dpuactors.protocol.MemoryProtocol.PoolClosed;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Queue;
import java.util.function.IntConsumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.internal.InternalRecipientRef;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.jspecify.annotations.Nullable;

/**
 * Closes the pools of an actor at its end. The device may return buffers of unanswered requests
 * after the end of the actor, so each pool has several attempts. A pool that stays open is
 * reported, unless its engine has ended, which closed it. Runs on any thread, one step after the
 * other.
 */
final class LeftPools {
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final Duration PAUSE = Duration.ofMillis(100);

  /** Attempts to close one pool. */
  static final int ATTEMPTS = 100;

  private final ActorSystem<?> system;
  private final ActorRef<MemoryProtocol.Command> memory;
  private final Queue<BufferPool> pools;
  private final IntConsumer then;
  private int attempts;
  private int open;

  private LeftPools(
      ActorSystem<?> system,
      ActorRef<MemoryProtocol.Command> memory,
      Collection<BufferPool> pools,
      IntConsumer then) {
    this.system = system;
    this.memory = memory;
    this.pools = new ArrayDeque<>(pools);
    this.then = then;
  }

  /**
   * Closes pools in this order.
   *
   * @param memory the engine of the pools. It closes those that remain when it stops
   * @param then receives the number of open pools after the last attempt
   */
  static void close(
      ActorSystem<?> system,
      ActorRef<MemoryProtocol.Command> memory,
      Collection<BufferPool> pools,
      IntConsumer then) {
    new LeftPools(system, memory, pools, then).next();
  }

  private void next() {
    BufferPool pool = pools.peek();
    if (pool == null) {
      then.accept(open);
      return;
    }
    AskPattern.<MemoryProtocol.Command, PoolClosed>ask(
            memory, me -> new ClosePool(pool, me), LIMIT, system.scheduler())
        .whenCompleteAsync(this::onAnswer, Runnable::run);
  }

  private void onAnswer(@Nullable PoolClosed closed, @Nullable Throwable noAnswer) {
    Object why = closed == null ? noAnswer : closed.failure().orElse(null);
    if (closed != null && why != null && ++attempts < ATTEMPTS) {
      system.scheduler().scheduleOnce(PAUSE, this::next, system.executionContext());
      return;
    }
    if (why != null && !hasEnded(memory)) {
      open++;
      system
          .log()
          .warn("pool not closed, the engine closes it when it stops: {}", String.valueOf(why));
    }
    attempts = 0;
    pools.remove();
    next();
  }

  private static boolean hasEnded(ActorRef<?> engine) {
    return engine instanceof InternalRecipientRef<?> actor && actor.isTerminated();
  }
}
