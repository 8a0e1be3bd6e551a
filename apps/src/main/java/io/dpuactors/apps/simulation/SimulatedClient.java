package io.dpuactors.apps.simulation;

import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ContextReply;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenComchClient;
import io.dpuactors.protocol.MemoryProtocol;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.service.BlockReceiver;
import io.dpuactors.service.BlockReceiver.ReceiverOptions;
import io.dpuactors.service.KeptMemory;
import io.dpuactors.service.MemoryCopier;
import io.dpuactors.service.MemoryCopier.CopierOptions;
import io.dpuactors.service.Ping;
import io.dpuactors.service.RemoteCompress;
import io.dpuactors.service.RemoteCompress.Ended;
import io.dpuactors.service.RemoteCompress.Ready;
import io.dpuactors.service.Transfer;
import io.dpuactors.service.Transfer.Transferred;
import io.dpuactors.simulation.SimulatedSystem;
import io.dpuactors.wire.CompressMessage.Hello;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/** A client that connects to one server, uses its service once, and has one result. */
final class SimulatedClient {
  private static final long MAX_BYTES = 1 << 20;

  private final SimulatedSystem system;
  private final SimulatedServer server;
  private final ActorRef<EngineProtocol.Command> engine;
  private final String name;
  private boolean isOpened;
  private int results;
  private @Nullable String failure;
  private @Nullable CompressedBlocks blocks;
  private int damaged;

  SimulatedClient(
      SimulatedSystem system,
      SimulatedServer server,
      ActorRef<EngineProtocol.Command> engine,
      String name) {
    this.system = system;
    this.server = server;
    this.engine = engine;
    this.name = name;
  }

  Behavior<Object> behavior() {
    return Behaviors.setup(
        context -> {
          ClientOptions options =
              ClientOptions.of(server.serviceName()).onDevice(SimulatedServer.HOST_DEVICE);
          engine.tell(new OpenComchClient(name, options, context.getSelf().narrow()));
          return Behaviors.receive(Object.class)
              .onMessage(ContextReply.class, reply -> onOpened(context, reply))
              .onMessage(Transfer.class, this::onTransfer)
              .onMessage(Ping.Result.class, this::onPinged)
              .onMessage(Ready.class, ready -> onReady(context, ready))
              .onMessage(TaskReply.class, this::onBlock)
              .onMessage(Ended.class, ended -> result(ended.failure()))
              .onSignal(Terminated.class, end -> result(Optional.of("the connection ended")))
              .build();
        });
  }

  boolean isConnecting() {
    return !isOpened && results == 0;
  }

  boolean hasEnded() {
    return results > 0;
  }

  /** Returns the number of blocks with other bytes. */
  int damaged() {
    return damaged + (blocks == null ? 0 : blocks.damaged());
  }

  /** Checks the result when nothing happens any more. */
  void check(boolean isCalm) {
    String what = "client %s of service %s".formatted(name, server.service());
    if (results != 1) {
      throw new AssertionError("%s has %d results".formatted(what, results));
    }
    if (isCalm && failure != null && !isRefused(failure)) {
      throw new AssertionError("%s failed: %s".formatted(what, failure));
    }
    if (blocks != null) {
      blocks.check(failure == null);
    }
    system.reached(server.service() + (failure == null ? " served" : " failed"));
  }

  /** A compress server without room for another client refuses it. */
  private boolean isRefused(String why) {
    boolean isRefused = why.contains("no memory left");
    if (isRefused) {
      system.reached("COMPRESS refused");
    }
    return isRefused;
  }

  private Behavior<Object> onOpened(ActorContext<Object> context, ContextReply<?> reply) {
    if (reply instanceof ConnectionProtocol.Opened opened) {
      isOpened = true;
      system.target(opened.context());
      spawn(context, opened.context());
      return Behaviors.same();
    }
    return result(Optional.of(reply.toString()));
  }

  private void spawn(
      ActorContext<Object> context, ActorRef<ConnectionProtocol.Command> connection) {
    Optional<String> device = Optional.of(SimulatedServer.HOST_DEVICE);
    ActorRef<Object> me = context.getSelf();
    switch (server.service()) {
      case PING -> {
        int count = system.draw(1, 20);
        ActorRef<ConnectionEvent> ping =
            context.spawn(
                Ping.create(connection, count, system.draw(4, 500), ns -> {}, me), "ping");
        connection.tell(new ConnectionProtocol.Subscribe(ping, count));
        context.watch(connection); // a connection that has ended takes no subscriber
      }
      case DATA ->
          context.spawn(
              BlockReceiver.create(
                  connection,
                  engine,
                  memory(context),
                  new ReceiverOptions(device, MAX_BYTES, true),
                  me),
              "receiver");
      case DMA ->
          context.spawn(
              MemoryCopier.create(
                  connection,
                  engine,
                  memory(context),
                  new CopierOptions(
                      Optional.of(SimulatedServer.DPU_DEVICE), system.draw(1, 4), MAX_BYTES, true),
                  me),
              "copier");
      case COMPRESS ->
          context.spawn(
              RemoteCompress.create(
                  connection,
                  engine,
                  device,
                  new Hello(system.draw(100, 4096), system.draw(1, 4)),
                  me),
              "remote");
    }
  }

  /** Returns the engine, or an actor that keeps a pool until the end of this client. */
  private ActorRef<MemoryProtocol.Command> memory(ActorContext<Object> context) {
    return system.chance(50)
        ? engine.narrow()
        : context.spawn(KeptMemory.create(engine), "memory").narrow();
  }

  private Behavior<Object> onTransfer(Transfer transfer) {
    if (transfer instanceof Transferred done) {
      damaged += done.wrongBlocks();
      boolean isWhole = done.blocks() == server.geometry().blocks();
      return result(
          isWhole ? Optional.empty() : Optional.of("only %d blocks".formatted(done.blocks())));
    }
    return result(Optional.of(((Transfer.TransferFailed) transfer).why()));
  }

  private Behavior<Object> onPinged(Ping.Result reply) {
    return result(
        reply instanceof Ping.PingFailed failed ? Optional.of(failed.why()) : Optional.empty());
  }

  private Behavior<Object> onReady(ActorContext<Object> context, Ready ready) {
    blocks =
        new CompressedBlocks(
            system,
            ready,
            context.getChild("remote").orElseThrow().unsafeUpcast(),
            context.getSelf());
    blocks.begin();
    return Behaviors.same();
  }

  private Behavior<Object> onBlock(TaskReply reply) {
    if (blocks == null) {
      throw new IllegalStateException("a block has an answer before the client is ready");
    }
    blocks.on(reply);
    return Behaviors.same();
  }

  /** Ends the client. Answers of blocks may follow the end of their connection. */
  private Behavior<Object> result(Optional<String> why) {
    results++;
    failure = why.orElse(null);
    system.note(name + (failure == null ? " is served" : " failed"));
    return server.service() == SimulatedServer.Service.COMPRESS
        ? Behaviors.same()
        : Behaviors.stopped();
  }
}
