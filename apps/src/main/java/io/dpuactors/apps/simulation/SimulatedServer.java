package io.dpuactors.apps.simulation;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.engine.Engine;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.ConnectionBehavior;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenComchServer;
import io.dpuactors.protocol.EngineProtocol.OpenCompress;
import io.dpuactors.protocol.MemoryProtocol.ExportPool;
import io.dpuactors.protocol.MemoryProtocol.ExportReply;
import io.dpuactors.protocol.MemoryProtocol.Exported;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.service.BlockMemory;
import io.dpuactors.service.BlockSender;
import io.dpuactors.service.CompressService;
import io.dpuactors.service.MemoryOffer;
import io.dpuactors.service.Pong;
import io.dpuactors.service.Sessions;
import io.dpuactors.simulation.SimulatedSystem;
import io.dpuactors.wire.DataGeometry;
import io.dpuactors.wire.DmaOffer;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/** A server of one service, with its sessions and its memory, as {@code dpu serve} has them. */
final class SimulatedServer {
  /** The services. */
  enum Service {
    PING,
    DATA,
    DMA,
    COMPRESS
  }

  static final String HOST_DEVICE = "0000:81:00.0";
  static final String DPU_DEVICE = "0000:03:00.0";

  private static final int MAX_BLOCKS = 24;
  private static final int MAX_BLOCK_BYTES = 4096;
  private static final Duration STALL_LIMIT = Duration.ofSeconds(10);

  private final SimulatedSystem system;
  private final ActorRef<EngineProtocol.Command> engine;
  private final String name;
  private final Service service;
  private final DataGeometry geometry;
  private final CompletableFuture<Done> sessionsEnd = new CompletableFuture<>();
  private @Nullable ActorRef<Object> server;
  private @Nullable ActorRef<Sessions.Command> sessions;
  private @Nullable AutoCloseable memory;

  private SimulatedServer(
      SimulatedSystem system, ActorRef<EngineProtocol.Command> engine, String name) {
    this.system = system;
    this.engine = engine;
    this.name = name;
    this.service = system.oneOf(Service.values());
    this.geometry = new DataGeometry(system.draw(1, MAX_BLOCKS), system.draw(1, MAX_BLOCK_BYTES));
  }

  /** Opens a server of a random service. Nothing disturbs the run yet. */
  static SimulatedServer open(
      SimulatedSystem system, ActorRef<EngineProtocol.Command> engine, String name) {
    SimulatedServer opened = new SimulatedServer(system, engine, name);
    system.reached("server " + opened.service);
    ServerOptions options =
        ServerOptions.of(opened.serviceName(), opened.behavior()).onDevice(DPU_DEVICE);
    opened.server =
        Devices.<Object>open(system, engine, me -> new OpenComchServer(name, options, me.narrow()));
    return opened;
  }

  Service service() {
    return service;
  }

  DataGeometry geometry() {
    return geometry;
  }

  /** Returns the name for clients. Processes that run scenarios at the same time must not meet. */
  String serviceName() {
    return "simulated-%s-%d".formatted(name, ProcessHandle.current().pid());
  }

  private ConnectionBehavior behavior() {
    return switch (service) {
      case PING -> Pong::serve;
      case DATA -> data();
      case DMA -> dma();
      case COMPRESS -> compress();
    };
  }

  private ConnectionBehavior data() {
    BlockMemory blocks =
        BlockMemory.fill(
            pool(DPU_DEVICE, geometry.blocks(), geometry.blockBytes(), Permission.LOCAL_READ_WRITE),
            geometry);
    memory = blocks;
    boolean withNul = system.chance(50);
    return sessions(
        connection -> BlockSender.create(connection, engine, blocks, withNul, STALL_LIMIT));
  }

  private ConnectionBehavior dma() {
    BufferPool pool = pool(HOST_DEVICE, 1, (int) geometry.totalBytes(), Permission.PCI_READ_ONLY);
    Buffer whole = BlockMemory.fillWhole(pool, geometry);
    memory = whole::release;
    ExportReply reply = system.ask(engine, me -> new ExportPool(pool, me.narrow()));
    if (reply instanceof Exported exported) {
      return MemoryOffer.of(DmaOffer.of(geometry, exported.export().bytes()));
    }
    throw new AssertionError("the memory has no export: " + reply);
  }

  private ConnectionBehavior compress() {
    TaskOptions options =
        TaskOptions.defaults().onDevice(DPU_DEVICE).withKinds(TaskKind.COMPRESS_DEFLATE);
    ActorRef<CompressProtocol.Command> compress =
        Devices.open(system, engine, me -> new OpenCompress(name + "-tasks", options, me.narrow()));
    CompressService.Limits limits =
        new CompressService.Limits(
            system.oneOf(512, MAX_BLOCK_BYTES),
            system.draw(1, 4),
            system.oneOf(40_000, 1 << 20),
            STALL_LIMIT);
    return sessions(
        CompressService.create(engine, compress, Optional.of(DPU_DEVICE), limits).sessions());
  }

  private ConnectionBehavior sessions(ConnectionBehavior behavior) {
    Behavior<Sessions.Command> parent = Sessions.create(behavior);
    Behavior<Sessions.Command> watched =
        Behaviors.setup(
            context -> {
              ActorRef<Sessions.Command> spawned =
                  context.spawn(parent, "sessions", DispatcherSelector.sameAsParent());
              context.watch(spawned);
              return Behaviors.receive(Sessions.Command.class)
                  .onAnyMessage(
                      message -> {
                        spawned.tell(message);
                        return Behaviors.same();
                      })
                  .onSignal(Terminated.class, end -> Behaviors.stopped())
                  .onSignal(
                      PostStop.class,
                      end -> {
                        sessionsEnd.complete(Done.getInstance());
                        return Behaviors.same();
                      })
                  .build();
            });
    ActorRef<Sessions.Command> spawned =
        system.chance(50)
            ? system.spawn(watched, name + "-sessions")
            : system.spawn(watched, name + "-sessions", Engine.props(system.actorSystem(), "dpu"));
    sessions = spawned;
    return Sessions.connections(spawned);
  }

  private BufferPool pool(String device, int count, int bytes, Permission permission) {
    PoolOptions options =
        PoolOptions.of(count, bytes).onDevice(device).withPermissions(Set.of(permission));
    PoolReply reply = system.ask(engine, me -> new OpenPool(options, me.narrow()));
    if (reply instanceof PoolOpened opened) {
      return opened.pool();
    }
    throw new AssertionError("a pool did not open: " + reply);
  }

  /** Permits the log line of an engine that ends while this server has leases. */
  void expectLostLeases() {
    String lost = "LEASE lost of buffer pool of %d x %d bytes";
    if (service == Service.DATA) {
      system.expectLog(
          geometry.blocks() + " " + lost.formatted(geometry.blocks(), geometry.blockBytes()));
    } else if (service == Service.DMA) {
      system.expectLog("1 " + lost.formatted(1, geometry.totalBytes()));
    }
  }

  /** Stops the server, then its sessions, and releases the memory. */
  void stop() {
    if (server != null) {
      server.tell(new Stop());
      system.settle();
    }
    if (sessions != null) {
      sessions.tell(Sessions.Stop.INSTANCE);
      system.settle();
      if (!sessionsEnd.isDone()) {
        throw new AssertionError("a session of service %s has no end".formatted(service));
      }
    }
    release();
  }

  private void release() {
    try {
      if (memory != null) {
        memory.close();
      }
    } catch (Exception e) {
      throw new AssertionError("the memory is not released", e);
    }
  }
}
