package io.dpuactors.simulation;

import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.RemoteMemory;
import io.dpuactors.protocol.EngineProtocol.OpenRdma;
import io.dpuactors.protocol.EngineProtocol.OpenSyncEvent;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.MemoryProtocol.SharePool;
import io.dpuactors.protocol.MemoryProtocol.ShareReply;
import io.dpuactors.protocol.MemoryProtocol.Shared;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.RdmaListenerProtocol;
import io.dpuactors.protocol.RdmaOptions;
import io.dpuactors.protocol.RdmaProtocol;
import io.dpuactors.protocol.RdmaProtocol.OpenRdmaListener;
import io.dpuactors.protocol.SyncEventOptions;
import io.dpuactors.protocol.SyncEventProtocol;
import io.dpuactors.protocol.SyncEventProtocol.ExportReply;
import io.dpuactors.protocol.SyncEventProtocol.Exported;
import io.dpuactors.protocol.SyncEventProtocol.Share;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.simulation.FailingBehavior.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.BehaviorBuilder;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * An RDMA context that listens and shares memory, and another one with clients: see {@link
 * RdmaPeer}. The server returns each message.
 */
final class RdmaProgram extends PairProgram {
  /** Processes that run scenarios at the same time must not meet. */
  static final int PORT = 1_024 + (int) (ProcessHandle.current().pid() % 64_000);

  static final int MAX_CLIENTS = 3;

  /** Bytes of a message, and of the part of the memory that belongs to one client. */
  static final int BYTES = 256;

  /** States of the program, for the table of coverage. */
  static final List<String> STATES = List.of("opening", "connecting", "busy", "stopping", "ended");

  /**
   * What the server shares.
   *
   * @param events descriptions of sync events, one for each client
   * @param common the additions of all clients to one number
   */
  record Offer(RemoteMemory memory, List<byte[]> events, Additions common) {}

  /** The actor of a client has ended. */
  private record ClientEnded(RdmaPeer client) {}

  private final List<RdmaPeer> clients = new ArrayList<>();
  private final List<ActorRef<Object>> targets = new ArrayList<>();

  /** Descriptions of the events. */
  private final List<byte[]> events = new ArrayList<>();

  private @Nullable ActorRef<RdmaProtocol.Command> server;
  private @Nullable RdmaStore store;
  private @Nullable RemoteMemory memory;
  private @Nullable RdmaEcho echo;
  private int died;

  RdmaProgram(Run run, ActorContext<Object> context, @Nullable PairProgram whole) {
    super(run, context, disturbances(run, STATES, whole), whole);
    run.explanations().batchesAreOf(FailedAnswers.RDMA);
    RdmaOptions options =
        options(EnginePair.DPU_DEVICE)
            .withPermissions(Permission.RDMA_READ, Permission.RDMA_WRITE, Permission.RDMA_ATOMIC);
    engines.dpu().tell(new OpenRdma("owner", options, expect("open")));
  }

  private RdmaOptions options(String device) {
    return RdmaOptions.defaults()
        .onDevice(device)
        .withWindow(run.oneOf(1, 4, 16))
        .withReceives(run.oneOf(2, 16), BYTES);
  }

  @Override
  BehaviorBuilder<Object> work(BehaviorBuilder<Object> builder) {
    return builder
        .onMessage(RdmaProtocol.OpenReply.class, this::onContext)
        .onMessage(PoolReply.class, this::onPool)
        .onMessage(ShareReply.class, this::onShared)
        .onMessage(SyncEventProtocol.OpenReply.class, this::onEvent)
        .onMessage(ExportReply.class, this::onEventShared)
        .onMessage(RdmaListenerProtocol.OpenReply.class, this::onListener)
        .onMessage(ClientEnded.class, this::onClientEnd);
  }

  private Behavior<Object> onClientEnd(ClientEnded ended) {
    died++;
    ended.client().died();
    return Behaviors.same();
  }

  private Behavior<Object> onContext(RdmaProtocol.OpenReply reply) {
    answers.answered("open");
    if (!(reply instanceof RdmaProtocol.Opened opened)) {
      return isOver("no context: " + reply);
    }
    targets.add(opened.context().unsafeUpcast());
    if (server == null) {
      server = opened.context();
      engines.dpu().tell(new OpenPool(RdmaStore.options(), expect("pool")));
    } else {
      spawnClients(opened.context());
    }
    return Behaviors.same();
  }

  /** Without disturbances each step of the program succeeds. */
  private Behavior<Object> isOver(String problem) {
    run.check(!isCalm, problem);
    run.reached("not begun");
    return Behaviors.same();
  }

  /** Accepts the memory for the clients, then the room for messages. */
  private Behavior<Object> onPool(PoolReply reply) {
    answers.answered("pool");
    if (!(reply instanceof PoolOpened opened)) {
      return isOver("no pool: " + reply);
    }
    if (store == null) {
      store = new RdmaStore(opened.pool());
      engines.dpu().tell(new SharePool(opened.pool(), expect("share")));
    } else {
      echo = new RdmaEcho(run, isCalm, opened.pool(), this::onWritten);
      Objects.requireNonNull(server)
          .tell(new OpenRdmaListener("listener", PORT, echo.behavior(), expect("listen")));
    }
    return Behaviors.same();
  }

  private Behavior<Object> onShared(ShareReply reply) {
    answers.answered("share");
    if (!(reply instanceof Shared shared)) {
      return isOver("not shared: " + reply);
    }
    memory = shared.memory();
    openEvent();
    return Behaviors.same();
  }

  /** A restarted event would begin with 0 again, so a failed one stays stopped. */
  private void openEvent() {
    TaskOptions tasks =
        TaskOptions.defaults()
            .onDevice(EnginePair.DPU_DEVICE)
            .withWindow(1)
            .withSupervision(SupervisorStrategy.stop());
    engines
        .dpu()
        .tell(
            new OpenSyncEvent(
                "event" + events.size(),
                SyncEventOptions.defaults().publishedByRdmaPeer().withTasks(tasks),
                expect("open event")));
  }

  private Behavior<Object> onEvent(SyncEventProtocol.OpenReply reply) {
    answers.answered("open event");
    if (!(reply instanceof SyncEventProtocol.Opened opened)) {
      return isOver("no event: " + reply);
    }
    targets.add(opened.context().unsafeUpcast());
    opened.context().tell(new Share(expect("share event")));
    return Behaviors.same();
  }

  private Behavior<Object> onEventShared(ExportReply reply) {
    answers.answered("share event");
    if (!(reply instanceof Exported exported)) {
      return isOver("event not shared: " + reply);
    }
    events.add(exported.description());
    if (events.size() < MAX_CLIENTS) {
      openEvent();
    } else {
      int buffers = MAX_CLIENTS * RdmaTraffic.MAX_AHEAD;
      engines
          .dpu()
          .tell(
              new OpenPool(
                  PoolOptions.of(buffers, BYTES).onDevice(EnginePair.DPU_DEVICE), expect("pool")));
    }
    return Behaviors.same();
  }

  private Behavior<Object> onListener(RdmaListenerProtocol.OpenReply reply) {
    answers.answered("listen");
    if (!(reply instanceof RdmaListenerProtocol.Opened opened)) {
      return isOver("no listener: " + reply);
    }
    targets.add(opened.context().unsafeUpcast());
    engines.host().tell(new OpenRdma("clients", options(EnginePair.HOST_DEVICE), expect("open")));
    return Behaviors.same();
  }

  private void spawnClients(ActorRef<RdmaProtocol.Command> owner) {
    Offer offer = new Offer(Objects.requireNonNull(memory), events, new Additions());
    int count = Aim.isAt(run, "connecting") ? MAX_CLIENTS : run.draw(1, MAX_CLIENTS);
    for (int i = 0; i < count; i++) {
      RdmaPeer client = new RdmaPeer(this, owner, offer, i);
      clients.add(client);
      context.watchWith(
          context.spawn(
              FailingBehavior.of(run, isCalm, Object.class, Moment.OF_CLIENTS, client.behavior()),
              "program" + i),
          new ClientEnded(client));
    }
  }

  /** A client has written its part of the memory, and the server has received the number. */
  private void onWritten(int immediate) {
    run.reached("written with immediate");
    RdmaPeer client = clients.get(RdmaEcho.client(immediate));
    client.arrived(RdmaEcho.number(immediate), Objects.requireNonNull(store).read());
  }

  @Override
  String workState() {
    if (clients.isEmpty()) {
      return "opening";
    }
    return clients.stream().anyMatch(RdmaPeer::isConnecting) ? "connecting" : "busy";
  }

  @Override
  @Nullable ActorRef<Object> target() {
    int drawn = run.draw(0, targets.size() + clients.size());
    if (drawn < targets.size()) {
      return targets.get(drawn);
    }
    int client = drawn - targets.size();
    return client < clients.size() ? clients.get(client).connection() : null;
  }

  @Override
  void openAnother(String name) {
    RdmaOptions options =
        options(EnginePair.DPU_DEVICE).withTasks(1).withWindow(1).withReceives(2, BYTES);
    engines.dpu().tell(new OpenRdma(name, options, context.getSystem().ignoreRef()));
  }

  /** Called by a client that has finished its work. */
  void clientDone() {
    if (!engines.isStopping() && clients.stream().allMatch(RdmaPeer::isDone)) {
      checkMemory();
      done();
    }
  }

  /** Checks what the clients have written, unless the engine of the memory has ended. */
  private void checkMemory() {
    if (store != null) {
      store.read().forEach(this::checkMemory);
    }
  }

  private void checkMemory(RdmaStore.Content content) {
    run.reached("memory checked");
    clients.forEach(client -> client.checkMemory(content));
  }

  /** The connection of a client that has died continues. */
  @Override
  void checkAtRest() {
    clients.forEach(RdmaPeer::checkAtRest);
    checkMemory();
    long alive = clients.stream().filter(RdmaPeer::isConnected).count();
    int connections = echo == null ? 0 : echo.connections();
    run.check(
        alive <= connections && connections <= alive + died,
        "the server has %d connections to %d clients, and %d clients have died",
        connections,
        alive,
        died);
  }

  @Override
  void check() {
    clients.forEach(RdmaPeer::check);
    run.checkFaulty(
        "damaged messages and numbers", clients.stream().mapToInt(RdmaPeer::damaged).sum());
  }
}
