package io.dpuactors.service;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.ConnectionEvent.Closed;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.MemoryProtocol;
import io.dpuactors.protocol.MemoryProtocol.PoolClosed;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.ReceiveBuilder;

/**
 * One end of a connection that lends buffers to the connection. The actor ends in this order:
 *
 * <ol>
 *   <li>The connection closes.
 *   <li>All requests have replies.
 *   <li>The leases return to their pools.
 *   <li>The pools close.
 *   <li>The actor stops.
 * </ol>
 *
 * <p>If the actor throws, or its parent stops it, the connection and the pools close after its end.
 */
abstract class ConnectionEnd extends AbstractBehavior<Object> {
  private enum Tick {
    CONNECTION_ENDED,
    ENGINE_ENDED
  }

  /** Each pool is closed, or the last attempt to close it has failed. */
  private record PoolsEnded(int open) {}

  final ActorRef<ConnectionProtocol.Command> connection;
  final ActorRef<EngineProtocol.Command> engine;
  final ActorRef<MemoryProtocol.Command> memory;
  private final Deque<BufferPool> pools = new ArrayDeque<>();
  private boolean connected = true;
  private boolean stopping;
  private boolean closing;
  private int outstanding;
  private int failedCloses;

  ConnectionEnd(
      ActorContext<Object> context,
      ActorRef<ConnectionProtocol.Command> connection,
      ActorRef<EngineProtocol.Command> engine) {
    this(context, connection, engine, engine.narrow());
  }

  /**
   * Creates an end with a separate owner of its memory.
   *
   * @param memory opens and closes the pools
   */
  ConnectionEnd(
      ActorContext<Object> context,
      ActorRef<ConnectionProtocol.Command> connection,
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<MemoryProtocol.Command> memory) {
    super(context);
    this.connection = connection;
    this.engine = engine;
    this.memory = memory;
    context.watchWith(connection, Tick.CONNECTION_ENDED);
    context.watchWith(engine, Tick.ENGINE_ENDED);
  }

  /** Returns the handlers that all ends share. Each subclass adds its handlers. */
  final ReceiveBuilder<Object> receiving() {
    return newReceiveBuilder()
        .onMessage(Closed.class, this::onClosed)
        .onMessage(PoolClosed.class, this::onOwnClose)
        .onMessage(PoolsEnded.class, this::onPoolsEnded)
        .onMessageEquals(Tick.CONNECTION_ENDED, this::onConnectionEnded)
        .onMessageEquals(Tick.ENGINE_ENDED, this::onEngineEnded)
        .onSignal(PostStop.class, signal -> onPostStop());
  }

  /** Returns whether the error only reports the connection's end, which has a separate event. */
  static boolean isEnd(DocaError error) {
    return switch (error.code()) {
      case CONNECTION_RESET, CONNECTION_ABORTED, NOT_CONNECTED, SHUTDOWN -> true;
      default -> false;
    };
  }

  /** Returns the reference of this actor as a receiver of any reply. */
  final <T> ActorRef<T> self() {
    return getContext().getSelf().narrow();
  }

  /** Takes ownership of an open pool. The end closes it. */
  final void own(BufferPool pool) {
    pools.push(pool);
  }

  /** Drops a pool that is closed already. */
  final void disown(BufferPool pool) {
    pools.remove(pool);
  }

  /** Counts a request. The actor waits for its reply before it stops. */
  final void requestSent() {
    outstanding++;
  }

  /** Counts a reply. */
  final void replyReceived() {
    outstanding--;
  }

  /** Returns whether this end is stopping. */
  final boolean isStopping() {
    return stopping;
  }

  /** Stops this end. Idempotent. */
  final Behavior<Object> stop() {
    if (!stopping) {
      stopping = true;
      connection.tell(new Stop());
      stopContexts();
    }
    return continueStop();
  }

  /** Takes the next step of the end, if possible. Call it after each reply. */
  final Behavior<Object> continueStop() {
    if (!stopping || connected || outstanding > 0 || closing) {
      return this;
    }
    closing = true;
    releaseLeases();
    closePools();
    return this;
  }

  /** Returns the pools that are open at the end of this actor. */
  final Stopped outcome() {
    int open = pools.size() + failedCloses;
    return open == 0 ? Stopped.CLEAN : new Stopped(false, open + " pools");
  }

  /** Handles the end of the connection. */
  abstract Behavior<Object> lost(String why);

  /**
   * Stops the contexts that do not stop with the connection. Called when the end begins, and when
   * the actor has thrown.
   */
  void stopContexts() {}

  /**
   * Releases the remaining leases. Called after the last reply, or when the actor has thrown:
   * requests without a reply may then have leases.
   */
  abstract void releaseLeases();

  /** Reports the result. Called once. The pools are closed, unless the actor has thrown. */
  abstract void ended();

  /** Notes that no pool is open, or that the last attempt to close one has failed. Any thread. */
  void poolsClosed() {}

  /** Handles the reply to a pool that a subclass closed before the end. */
  Behavior<Object> onOwnClose(PoolClosed closed) {
    return this;
  }

  private Behavior<Object> onClosed(Closed closed) {
    return lost("the connection ended" + closed.error().map(error -> ": " + error).orElse(""));
  }

  private Behavior<Object> onConnectionEnded() {
    connected = false;
    return stopping ? continueStop() : lost("the connection ended");
  }

  /** Stops without waiting: after the engine's end there are no replies, and no pool is open. */
  private Behavior<Object> onEngineEnded() {
    stopping = true;
    connected = false;
    outstanding = 0;
    pools.clear();
    return closing ? Behaviors.stopped() : continueStop();
  }

  /** Closes what an actor leaves open because it has thrown, or its parent has stopped it. */
  private Behavior<Object> onPostStop() {
    try {
      ended();
      if (!closing) {
        connection.tell(new Stop());
        stopContexts();
        releaseLeases();
      }
    } finally {
      if (!closing) {
        closePools();
      }
    }
    return this;
  }

  private void closePools() {
    ActorRef<Object> self = self();
    LeftPools.close(
        getContext().getSystem(),
        memory,
        pools,
        open -> {
          poolsClosed();
          self.tell(new PoolsEnded(open));
        });
  }

  private Behavior<Object> onPoolsEnded(PoolsEnded end) {
    pools.clear();
    failedCloses = end.open();
    return Behaviors.stopped();
  }
}
