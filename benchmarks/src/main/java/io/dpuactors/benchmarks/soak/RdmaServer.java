package io.dpuactors.benchmarks.soak;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.RemoteMemory;
import io.dpuactors.protocol.EngineProtocol.OpenRdma;
import io.dpuactors.protocol.MemoryProtocol.ShareFailed;
import io.dpuactors.protocol.MemoryProtocol.SharePool;
import io.dpuactors.protocol.MemoryProtocol.ShareReply;
import io.dpuactors.protocol.MemoryProtocol.Shared;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.RdmaConnectionProtocol.Command;
import io.dpuactors.protocol.RdmaConnectionProtocol.Event;
import io.dpuactors.protocol.RdmaConnectionProtocol.Message;
import io.dpuactors.protocol.RdmaConnectionProtocol.Send;
import io.dpuactors.protocol.RdmaListenerProtocol;
import io.dpuactors.protocol.RdmaOptions;
import io.dpuactors.protocol.RdmaProtocol;
import io.dpuactors.protocol.RdmaProtocol.OpenRdmaListener;
import io.dpuactors.protocol.RdmaProtocol.PeerBehavior;
import io.dpuactors.service.RdmaStore;
import io.dpuactors.wire.RdmaOffer;
import java.time.Duration;
import java.util.EnumSet;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.BehaviorInterceptor;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * The listening context of a round. It serves {@code dpu client rdma} of other processes. For the
 * clients of this process it also checks and returns each message.
 */
final class RdmaServer {
  /** Number of regions for the connections of this process, one after the other. */
  static final int REGIONS = 64;

  private static final String DEVICE = "03:00.0";
  private static final int CONNECTIONS = 64;
  private static final int PART_BYTES = 64 << 10;
  private static final int OFFER_BYTES = 512;
  private static final int RECEIVES = 64;
  private static final int RECEIVE_BYTES = 4096;

  /** Longer than a round. */
  private static final Duration FIRST_MESSAGE = Duration.ofMinutes(1);

  private static final Permission[] OF_PEERS = {
    Permission.RDMA_READ, Permission.RDMA_WRITE, Permission.RDMA_ATOMIC
  };

  private final SoakContext<RdmaProtocol.Command> context;
  private final SoakContext<RdmaListenerProtocol.Command> listener;
  private final RemoteMemory regions;

  private RdmaServer(
      SoakContext<RdmaProtocol.Command> context,
      SoakContext<RdmaListenerProtocol.Command> listener,
      RemoteMemory regions) {
    this.context = context;
    this.listener = listener;
    this.regions = regions;
  }

  /** Opens the context, its memory and its listener on the first engine. */
  static RdmaServer open(RoundContexts round, int port) {
    BufferPool parts = memory(round, CONNECTIONS, PART_BYTES);
    BufferPool offers = round.pool(0, PoolOptions.of(CONNECTIONS, OFFER_BYTES).onDevice(DEVICE));
    RdmaStore.Shared shared =
        new RdmaStore.Shared(parts, share(round, parts), offers, RECEIVE_BYTES);
    PeerBehavior behavior = checked(round, RdmaStore.of(shared, FIRST_MESSAGE));
    RdmaOptions options =
        RdmaOptions.defaults()
            .onDevice(DEVICE)
            .withPermissions(OF_PEERS)
            .withWindow(round.window())
            .withReceives(RECEIVES, RECEIVE_BYTES)
            .withShare(2 * RdmaOffer.UNHANDLED)
            .withMaxConnections(CONNECTIONS);
    SoakContext<RdmaProtocol.Command> context =
        round.<RdmaProtocol.Command, RdmaProtocol.OpenReply>add(
            0, "rdma-server", me -> new OpenRdma("rdma-server", options, me));
    SoakContext<RdmaListenerProtocol.Command> listener =
        round.add("rdma-listener", () -> listen(round, context.current(), port, behavior));
    return new RdmaServer(
        context, listener, share(round, memory(round, REGIONS, RdmaRegion.BYTES)));
  }

  private static RdmaListenerProtocol.@Nullable OpenReply listen(
      RoundContexts round,
      @Nullable ActorRef<RdmaProtocol.Command> owner,
      int port,
      PeerBehavior behavior) {
    if (owner == null) {
      return null;
    }
    return round.system().ask(owner, me -> new OpenRdmaListener("listener", port, behavior, me));
  }

  private static BufferPool memory(RoundContexts round, int count, int bytes) {
    EnumSet<Permission> permissions = EnumSet.of(Permission.LOCAL_READ_WRITE, OF_PEERS);
    return round.pool(
        0, PoolOptions.of(count, bytes).onDevice(DEVICE).withPermissions(permissions));
  }

  private static RemoteMemory share(RoundContexts round, BufferPool pool) {
    ShareReply reply = round.ask(0, me -> new SharePool(pool, me));
    if (reply instanceof Shared shared) {
      return shared.memory();
    }
    throw new IllegalStateException(((ShareFailed) reply).error().toString());
  }

  private static PeerBehavior checked(RoundContexts round, PeerBehavior store) {
    return connection ->
        Behaviors.intercept(() -> new Checking(round, connection), store.serve(connection));
  }

  /** Checks what arrives on a connection, before the store receives it. Engine's thread. */
  private static final class Checking extends BehaviorInterceptor<Event, Event> {
    private final RoundContexts round;
    private final ActorRef<Command> connection;
    private final RdmaArrivals arrivals = new RdmaArrivals();

    Checking(RoundContexts round, ActorRef<Command> connection) {
      super(Event.class);
      this.round = round;
      this.connection = connection;
    }

    @Override
    public Behavior<Event> aroundReceive(
        TypedActorContext<Event> context, Event event, ReceiveTarget<Event> target) {
      if (!arrivals.isRight(event)) {
        round.ledger().of(Kind.RDMA).wrong.incrementAndGet();
      }
      if (event instanceof Message message) {
        onMessage(message);
      }
      return target.apply(context, event);
    }

    /** Clients of other processes begin with immediate data, and send other messages without it. */
    private void onMessage(Message message) {
      if (RdmaArrivals.isOwn(message)) {
        long tag = round.ledger().enter(Kind.RDMA, null, null, answer -> true);
        connection.tell(new Send(null, message.immediate(), tag, round.answers(Kind.RDMA)));
      } else if (message.immediate().isPresent()) {
        round.noteServed();
      }
    }
  }

  /** Opens what has ended. For the thread of the sender. */
  void require() {
    if (context.require() != null) {
      listener.require();
    }
  }

  /** Returns the memory of the regions. */
  RemoteMemory regions() {
    return regions;
  }
}
