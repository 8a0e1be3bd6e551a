package io.dpuactors.service;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.MemoryProtocol;
import io.dpuactors.protocol.MemoryProtocol.ClosePool;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolClosed;
import io.dpuactors.protocol.MemoryProtocol.PoolFailed;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one pool open between its users, so that the kernel need not map new pages. The actor takes
 * and answers the memory commands of the engine. When a user closes the kept pool, the pool stays
 * open with its content. The next user with the same request gets this pool. A different request
 * replaces the pool.
 *
 * <p>This actor passes other commands to the engine, and also each request that arrives while the
 * kept pool has a user. The actor does not keep a pool that is closed with missing leases.
 *
 * <p>The actor stops on request and with the engine, and closes the pool. The users of the pool
 * must have stopped before.
 */
public final class KeptMemory extends AbstractBehavior<Object> {
  private final ActorRef<EngineProtocol.Command> engine;

  /** Request that opened the kept pool; null: no pool is open or opening. */
  private @Nullable OpenPool shape;

  private @Nullable BufferPool pool;
  private boolean lent;

  private enum Tick {
    ENGINE_ENDED
  }

  private KeptMemory(ActorContext<Object> context, ActorRef<EngineProtocol.Command> engine) {
    super(context);
    this.engine = engine;
    context.watchWith(engine, Tick.ENGINE_ENDED);
  }

  /**
   * Creates the behavior, which takes every {@link MemoryProtocol.Command}.
   *
   * @param engine opens and closes the pools
   */
  public static Behavior<Object> create(ActorRef<EngineProtocol.Command> engine) {
    return Behaviors.setup(context -> new KeptMemory(context, engine));
  }

  @Override
  public Receive<Object> createReceive() {
    return newReceiveBuilder()
        .onMessage(OpenPool.class, this::onOpen)
        .onMessage(ClosePool.class, this::onClose)
        .onMessage(MemoryProtocol.Command.class, this::passOn)
        .onMessage(PoolOpened.class, this::onOpened)
        .onMessage(PoolFailed.class, this::onFailed)
        .onMessage(PoolClosed.class, this::onClosed)
        .onMessageEquals(Tick.ENGINE_ENDED, this::onEngineEnded)
        .onSignal(PostStop.class, signal -> onStop())
        .build();
  }

  private Behavior<Object> passOn(MemoryProtocol.Command command) {
    engine.tell(command);
    return this;
  }

  private Behavior<Object> onOpen(OpenPool wanted) {
    if (lent) {
      return passOn(wanted);
    }
    lent = true;
    BufferPool kept = pool;
    OpenPool before = shape;
    shape = wanted;
    if (kept == null || before == null) {
      open(wanted);
    } else if (before.options().equals(wanted.options())) {
      wanted.replyTo().tell(new PoolOpened(kept));
    } else {
      pool = null;
      engine.tell(new ClosePool(kept, getContext().getSelf().narrow()));
    }
    return this;
  }

  private void open(OpenPool wanted) {
    engine.tell(new OpenPool(wanted.options(), getContext().getSelf().narrow()));
  }

  /**
   * Opens the requested pool after the kept pool is closed. After a failed close, the engine closes
   * the old pool when it stops.
   */
  private Behavior<Object> onClosed(PoolClosed closed) {
    closed
        .failure()
        .ifPresent(
            why ->
                getContext()
                    .getLog()
                    .warn("pool not closed, the engine closes it when it stops: {}", why));
    if (shape != null) {
      open(shape);
    }
    return this;
  }

  private Behavior<Object> onOpened(PoolOpened opened) {
    pool = opened.pool();
    if (shape != null) {
      shape.replyTo().tell(opened);
    }
    return this;
  }

  private Behavior<Object> onFailed(PoolFailed failed) {
    if (shape != null) {
      shape.replyTo().tell(failed);
    }
    return forget();
  }

  private Behavior<Object> forget() {
    shape = null;
    pool = null;
    lent = false;
    return this;
  }

  private Behavior<Object> onClose(ClosePool command) {
    BufferPool kept = pool;
    if (kept == null || command.pool() != kept) {
      return passOn(command);
    }
    if (kept.available() < kept.capacity()) {
      forget();
      return passOn(command);
    }
    lent = false;
    command.replyTo().tell(new PoolClosed(Optional.empty()));
    return this;
  }

  private Behavior<Object> onEngineEnded() {
    pool = null;
    return Behaviors.stopped();
  }

  private Behavior<Object> onStop() {
    if (pool != null) {
      engine.tell(new ClosePool(pool, getContext().getSystem().ignoreRef()));
    }
    return this;
  }
}
