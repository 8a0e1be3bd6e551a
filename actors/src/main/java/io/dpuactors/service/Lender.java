package io.dpuactors.service;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.ClosePool;
import io.dpuactors.protocol.EngineProtocol.MemoryCommand;
import io.dpuactors.protocol.EngineProtocol.PoolClosed;
import io.dpuactors.protocol.comch.ConnectionEvent.Closed;
import io.dpuactors.protocol.comch.ConnectionProtocol;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.ReceiveBuilder;

/**
 * One end of a connection that lends buffers to it. It ends in this order: the connection is
 * closed, everything that was asked is answered, leases go back to their pools, the pools are
 * closed, then the actor ends.
 */
abstract class Lender extends AbstractBehavior<Object> {
  private static final Duration PAUSE = Duration.ofMillis(100);

  /** A device may keep a buffer for a while after its request was answered; no longer than this. */
  private static final int CLOSE_ATTEMPTS = 100;

  private enum Tick {
    CONNECTION_ENDED,
    ENGINE_ENDED,
    CLOSE_AGAIN
  }

  final ActorRef<ConnectionProtocol.Command> connection;
  final ActorRef<EngineProtocol.Command> engine;
  final ActorRef<MemoryCommand> memory;
  private final Deque<BufferPool> pools = new ArrayDeque<>();
  private boolean connected = true;
  private boolean leaving;
  private boolean closing;
  private int outstanding;
  private int attempts;

  Lender(
      ActorContext<Object> context,
      ActorRef<ConnectionProtocol.Command> connection,
      ActorRef<EngineProtocol.Command> engine) {
    this(context, connection, engine, engine.narrow());
  }

  /**
   * With memory that is not the engine's alone.
   *
   * @param memory whom to ask for pools, and to close them
   */
  Lender(
      ActorContext<Object> context,
      ActorRef<ConnectionProtocol.Command> connection,
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<MemoryCommand> memory) {
    super(context);
    this.connection = connection;
    this.engine = engine;
    this.memory = memory;
    context.watchWith(connection, Tick.CONNECTION_ENDED);
    context.watchWith(engine, Tick.ENGINE_ENDED);
  }

  /** What all of them receive; to be completed by each. */
  final ReceiveBuilder<Object> receiving() {
    return newReceiveBuilder()
        .onMessage(Closed.class, this::onClosed)
        .onMessage(PoolClosed.class, this::onPoolClosed)
        .onMessageEquals(Tick.CONNECTION_ENDED, this::onConnectionEnded)
        .onMessageEquals(Tick.ENGINE_ENDED, this::onEngineEnded)
        .onMessageEquals(Tick.CLOSE_AGAIN, this::closeNext);
  }

  /** Whether this is how requests fail whose connection ends, which is told as well. */
  static boolean isEnd(DocaError error) {
    return switch (error.code()) {
      case CONNECTION_RESET, CONNECTION_ABORTED, NOT_CONNECTED, SHUTDOWN -> true;
      default -> false;
    };
  }

  /** This actor, as whatever it is asked to receive. */
  final <T> ActorRef<T> self() {
    return getContext().getSelf().narrow();
  }

  /** A pool is there; it is closed at the end. */
  final void own(BufferPool pool) {
    pools.push(pool);
  }

  /** An own pool is closed already. */
  final void disown(BufferPool pool) {
    pools.remove(pool);
  }

  /** Something is asked that must be answered before the end. */
  final void asked() {
    outstanding++;
  }

  /** It is answered. */
  final void answered() {
    outstanding--;
  }

  /** Whether all that is done is for the end. */
  final boolean isLeaving() {
    return leaving;
  }

  /** Begins the end. Idempotent. */
  final Behavior<Object> leave() {
    if (!leaving) {
      leaving = true;
      connection.tell(ConnectionProtocol.Stop.INSTANCE);
      stopAsking();
    }
    return onceBack();
  }

  /** Takes the next step of the end, if it can be taken: to be called after answers. */
  final Behavior<Object> onceBack() {
    if (!leaving || connected || outstanding > 0 || closing) {
      return this;
    }
    closing = true;
    releaseLeases();
    return closeNext();
  }

  /** The connection is over. */
  abstract Behavior<Object> lost(String why);

  /** The end has begun: let go of what will not come back by itself. */
  void stopAsking() {}

  /** Everything is answered: release the leases that are still held. */
  abstract void releaseLeases();

  /** The memory is given back, too; the actor ends after this. */
  abstract void ended();

  /** A pool was closed before the end. */
  Behavior<Object> onOwnClose(PoolClosed closed) {
    return this;
  }

  private Behavior<Object> onClosed(Closed closed) {
    return lost("the connection ended" + closed.error().map(error -> ": " + error).orElse(""));
  }

  private Behavior<Object> onConnectionEnded() {
    connected = false;
    return leaving ? onceBack() : lost("the connection ended");
  }

  /** Nobody is left to answer, or to close anything. */
  private Behavior<Object> onEngineEnded() {
    leaving = true;
    connected = false;
    outstanding = 0;
    pools.clear();
    return closing ? closeNext() : onceBack();
  }

  private Behavior<Object> closeNext() {
    BufferPool next = pools.peek();
    if (next == null) {
      ended();
      return Behaviors.stopped();
    }
    memory.tell(new ClosePool(next, self()));
    return this;
  }

  private Behavior<Object> onPoolClosed(PoolClosed closed) {
    if (!closing) {
      return onOwnClose(closed);
    }
    if (closed.failure().isPresent() && ++attempts < CLOSE_ATTEMPTS) {
      getContext().scheduleOnce(PAUSE, getContext().getSelf(), Tick.CLOSE_AGAIN);
      return this;
    }
    closed.failure().ifPresent(why -> getContext().getLog().warn("left to the engine: {}", why));
    attempts = 0;
    pools.poll();
    return closeNext();
  }
}
