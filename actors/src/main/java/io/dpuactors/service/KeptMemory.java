package io.dpuactors.service;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.ClosePool;
import io.dpuactors.protocol.EngineProtocol.MemoryCommand;
import io.dpuactors.protocol.EngineProtocol.OpenPool;
import io.dpuactors.protocol.EngineProtocol.PoolClosed;
import io.dpuactors.protocol.EngineProtocol.PoolFailed;
import io.dpuactors.protocol.EngineProtocol.PoolOpened;
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
 * Memory that outlives its users, who come one after the other. It is asked like the engine, and
 * answers like it, but a pool that is closed here stays open: whoever wants the same next gets it
 * again, as it was left, and the kernel need not find new pages. Whoever wants something else gets
 * that instead.
 *
 * <p>One pool is kept. Who comes while somebody has it, and whatever else is asked about memory,
 * goes to the engine. A pool that is closed with leases missing is not kept either.
 *
 * <p>Ends when it is stopped, and with the engine. Its users are to be gone by then; the pool is
 * closed.
 */
public final class KeptMemory extends AbstractBehavior<Object> {
  private final ActorRef<EngineProtocol.Command> engine;

  /** Who asked first for what is kept; null: nothing is kept or on its way. */
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
   * The actor; it takes every {@link MemoryCommand}.
   *
   * @param engine whose memory it is
   */
  public static Behavior<Object> create(ActorRef<EngineProtocol.Command> engine) {
    return Behaviors.setup(context -> new KeptMemory(context, engine));
  }

  @Override
  public Receive<Object> createReceive() {
    return newReceiveBuilder()
        .onMessage(OpenPool.class, this::onOpen)
        .onMessage(ClosePool.class, this::onClose)
        .onMessage(MemoryCommand.class, this::passOn)
        .onMessage(PoolOpened.class, this::onOpened)
        .onMessage(PoolFailed.class, this::onFailed)
        .onMessage(PoolClosed.class, this::onClosed)
        .onMessageEquals(Tick.ENGINE_ENDED, this::onEngineEnded)
        .onSignal(PostStop.class, signal -> onStop())
        .build();
  }

  private Behavior<Object> passOn(MemoryCommand command) {
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
    } else if (isSame(before, wanted)) {
      wanted.replyTo().tell(new PoolOpened(kept));
    } else {
      pool = null;
      engine.tell(new ClosePool(kept, getContext().getSelf().narrow()));
    }
    return this;
  }

  private static boolean isSame(OpenPool one, OpenPool other) {
    return one.device().equals(other.device())
        && one.count() == other.count()
        && one.bufferBytes() == other.bufferBytes()
        && one.memory().equals(other.memory());
  }

  private void open(OpenPool wanted) {
    engine.tell(
        new OpenPool(
            wanted.device(),
            wanted.count(),
            wanted.bufferBytes(),
            wanted.memory(),
            getContext().getSelf().narrow()));
  }

  /** What was kept makes way. If it does not, the engine closes it when it stops. */
  private Behavior<Object> onClosed(PoolClosed closed) {
    closed.failure().ifPresent(why -> getContext().getLog().warn("left to the engine: {}", why));
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
