package io.dpuactors.benchmarks.soak;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.protocol.EngineProtocol.OpenRdma;
import io.dpuactors.protocol.MemoryProtocol.ImportRemoteMemory;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.RdmaClientOptions;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaConnectionProtocol.Event;
import io.dpuactors.protocol.RdmaOptions;
import io.dpuactors.protocol.RdmaProtocol;
import io.dpuactors.protocol.RdmaProtocol.OpenRdmaClient;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/** Requests of two RDMA clients on the second engine to the server on the first. */
final class RdmaWorkload implements Workload {
  private static final String HOST = "127.0.0.1";
  private static final String DEVICE = "81:00.0";
  private static final int CONNECTIONS = 16;
  private static final int BUFFERS = 256;

  private final RoundContexts round;
  private final RdmaServer server;
  private final SoakContext<RdmaProtocol.Command> clients;
  private final List<RdmaPeer> peers;
  private @Nullable ActorRef<RdmaProtocol.Command> importer;
  private @Nullable BufferPool remote;
  private int regions;

  private RdmaWorkload(
      RoundContexts round,
      RdmaServer server,
      SoakContext<RdmaProtocol.Command> clients,
      List<RdmaPeer> peers) {
    this.round = round;
    this.server = server;
    this.clients = clients;
    this.peers = peers;
  }

  /** Opens the server, the context of the clients, and the clients. */
  static RdmaWorkload open(RoundContexts round, int port) {
    RdmaServer server = RdmaServer.open(round, port);
    RdmaOptions options =
        RdmaOptions.defaults()
            .onDevice(DEVICE)
            .withWindow(round.window())
            .withMaxConnections(CONNECTIONS);
    SoakContext<RdmaProtocol.Command> clients =
        round.<RdmaProtocol.Command, RdmaProtocol.OpenReply>add(
            1, "rdma-clients", me -> new OpenRdma("rdma-clients", options, me));
    BufferPool local = round.pool(1, PoolOptions.of(BUFFERS, RdmaRegion.BYTES).onDevice(DEVICE));
    List<RdmaPeer> peers =
        List.of(
            peer(round, clients, "rdma-client-0", port, local),
            peer(round, clients, "rdma-client-1", port, local));
    return new RdmaWorkload(round, server, clients, peers);
  }

  private static RdmaPeer peer(
      RoundContexts round,
      SoakContext<RdmaProtocol.Command> clients,
      String name,
      int port,
      BufferPool local) {
    RdmaClientOptions options =
        RdmaClientOptions.of(HOST, port)
            .withBehavior(connection -> receiving(round))
            .withSupervision(SupervisorStrategy.stop().withLoggingEnabled(false));
    SoakContext<RdmaConnectionProtocol.Command> client =
        round.add(name, () -> connect(round, clients.current(), name, options));
    return new RdmaPeer(round, client, local);
  }

  private static RdmaConnectionProtocol.@Nullable OpenReply connect(
      RoundContexts round,
      @Nullable ActorRef<RdmaProtocol.Command> owner,
      String name,
      RdmaClientOptions options) {
    if (owner == null) {
      return null;
    }
    return round.system().ask(owner, me -> new OpenRdmaClient(name, options, me));
  }

  /** Returns a behavior that checks the messages that return. */
  private static Behavior<Event> receiving(RoundContexts round) {
    RdmaArrivals arrivals = new RdmaArrivals();
    return Behaviors.receiveMessage(
        event -> {
          if (!arrivals.isRight(event)) {
            round.ledger().of(Kind.RDMA).wrong.incrementAndGet();
          }
          return Behaviors.same();
        });
  }

  @Override
  public boolean send(SplittableRandom random) {
    server.require();
    ActorRef<RdmaProtocol.Command> owner = clients.require();
    BufferPool known = owner == null ? null : remote(owner);
    if (known == null) {
      return false;
    }
    return peers.get(random.nextInt(peers.size())).send(random, known, this::nextRegion);
  }

  /** An access of an ended connection may be late, so the next connection has another region. */
  private long nextRegion() {
    return (long) (regions++ % RdmaServer.REGIONS) * RdmaRegion.BYTES;
  }

  /** Returns the memory of the server, imported for the context; null: not now. */
  private @Nullable BufferPool remote(ActorRef<RdmaProtocol.Command> owner) {
    BufferPool known = remote;
    if (known == null || known.isClosed() || !owner.equals(importer)) {
      PoolReply reply =
          round.ask(
              1,
              me ->
                  new ImportRemoteMemory(
                      Optional.of(DEVICE), server.regions(), BUFFERS, owner, me));
      importer = owner;
      known = reply instanceof PoolOpened opened ? opened.pool() : null;
      remote = known;
    }
    return known;
  }
}
