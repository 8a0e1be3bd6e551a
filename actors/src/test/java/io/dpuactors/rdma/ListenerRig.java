package io.dpuactors.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.DmaProtocol.Copy;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenDma;
import io.dpuactors.protocol.EngineProtocol.OpenRdma;
import io.dpuactors.protocol.RdmaClientEvent;
import io.dpuactors.protocol.RdmaClientOptions;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaConnectionProtocol.Closed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Connect;
import io.dpuactors.protocol.RdmaConnectionProtocol.ConnectReply;
import io.dpuactors.protocol.RdmaConnectionProtocol.Connected;
import io.dpuactors.protocol.RdmaConnectionProtocol.Event;
import io.dpuactors.protocol.RdmaConnectionProtocol.Failed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Message;
import io.dpuactors.protocol.RdmaConnectionProtocol.Reply;
import io.dpuactors.protocol.RdmaConnectionProtocol.Send;
import io.dpuactors.protocol.RdmaListenerProtocol;
import io.dpuactors.protocol.RdmaListenerProtocol.Connections;
import io.dpuactors.protocol.RdmaListenerProtocol.GetConnections;
import io.dpuactors.protocol.RdmaOptions;
import io.dpuactors.protocol.RdmaProtocol;
import io.dpuactors.protocol.RdmaProtocol.Export;
import io.dpuactors.protocol.RdmaProtocol.ExportReply;
import io.dpuactors.protocol.RdmaProtocol.Exported;
import io.dpuactors.protocol.RdmaProtocol.OpenRdmaClient;
import io.dpuactors.protocol.RdmaProtocol.OpenRdmaListener;
import io.dpuactors.protocol.RdmaProtocol.PeerBehavior;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.testing.BlockPoint;
import io.dpuactors.testing.ComchPair;
import io.dpuactors.testing.Endings;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.NodeLog;
import io.dpuactors.testing.RunningSystem;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.pekko.actor.testkit.typed.FishingOutcome;
import org.apache.pekko.actor.testkit.typed.javadsl.FishingOutcomes;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.awaitility.Awaitility;

/** A listening context on one engine and device, and a context for clients on another. */
final class ListenerRig implements AutoCloseable {
  static final String HOST = "127.0.0.1";
  static final int PORT = 4791;
  static final Duration SOON = Duration.ofSeconds(20);
  private static final String HERE = "03:00.0";
  private static final String THERE = "81:00.0";

  /** The program's message: an event of a connection. */
  private record Got(Event event) {}

  /** A connection of the listener, and its behavior. */
  record Served(ActorRef<RdmaConnectionProtocol.Command> connection, ActorRef<?> behavior) {}

  final RunningSystem system;
  final ActorRef<EngineProtocol.Command> clients;
  final ActorRef<RdmaProtocol.Command> here;
  final ActorRef<RdmaProtocol.Command> there;
  final ActorRef<RdmaListenerProtocol.Command> listener;
  final TestProbe<Served> served;
  final TestProbe<Event> events;
  final TestProbe<Reply> replies;
  final TestProbe<RdmaClientEvent> life;
  final BlockPoint blockPoint = new BlockPoint();
  final NodeLog nodes = new NodeLog();
  final Endings endings;

  private ListenerRig(String settings) {
    system = RunningSystem.create(settings);
    endings = new Endings(system.kit);
    served = system.kit.createTestProbe(Served.class);
    events = system.kit.createTestProbe(Event.class);
    replies = system.kit.createTestProbe(Reply.class);
    life = system.kit.createTestProbe(RdmaClientEvent.class);
    clients = system.spawnEngine("two");
    here = context(system.engine, "here", HERE);
    there = context(clients, "there", THERE);
    listener = endings.watch(opened(open(here, "listener", PORT)).context());
  }

  static ListenerRig create() {
    return create("");
  }

  static ListenerRig create(String settings) {
    return new ListenerRig(settings);
  }

  /** Returns the strategy that connects again after this time, without an end. */
  static SupervisorStrategy again(long ms) {
    return SupervisorStrategy.restartWithBackoff(Duration.ofMillis(ms), Duration.ofMillis(ms), 0)
        .withLoggingEnabled(false);
  }

  private ActorRef<RdmaProtocol.Command> context(
      ActorRef<EngineProtocol.Command> engine, String name, String device) {
    TestProbe<RdmaProtocol.OpenReply> probe = system.kit.createTestProbe();
    RdmaOptions options = RdmaOptions.defaults().onDevice(device).withPermissions(RdmaPair.ALL);
    engine.tell(new OpenRdma(name, options, probe.getRef()));
    return ((RdmaProtocol.Opened) probe.receiveMessage()).context();
  }

  RdmaListenerProtocol.OpenReply open(
      ActorRef<RdmaProtocol.Command> context, String name, int port) {
    TestProbe<RdmaListenerProtocol.OpenReply> probe = system.kit.createTestProbe();
    context.tell(new OpenRdmaListener(name, port, behavior(), probe.getRef()));
    return probe.receiveMessage();
  }

  static RdmaListenerProtocol.Opened opened(RdmaListenerProtocol.OpenReply reply) {
    assertThat(reply).isInstanceOf(RdmaListenerProtocol.Opened.class);
    return (RdmaListenerProtocol.Opened) reply;
  }

  /** Returns a behavior that reports its connection and its events, and fails on request. */
  private PeerBehavior behavior() {
    return PeerBehavior.of(
        Got::new,
        connection ->
            Behaviors.setup(
                context -> {
                  served.getRef().tell(new Served(connection, context.getSelf()));
                  return Behaviors.receiveMessage(this::on);
                }));
  }

  private Behavior<Got> on(Got got) {
    if (got.event() instanceof Message message) {
      switch (message.text()) {
        case "throw" -> throw new IllegalStateException("as the test has asked");
        case "leave" -> {
          return Behaviors.stopped();
        }
        case "block" -> blockPoint.block();
        default -> {}
      }
    }
    events.getRef().tell(got.event());
    return Behaviors.same();
  }

  RdmaClientOptions options() {
    return RdmaClientOptions.of(HOST, PORT).withListener(life.getRef());
  }

  TestProbe<RdmaConnectionProtocol.OpenReply> openClient(String name, RdmaClientOptions options) {
    TestProbe<RdmaConnectionProtocol.OpenReply> probe = system.kit.createTestProbe();
    there.tell(new OpenRdmaClient(name, options, probe.getRef()));
    return probe;
  }

  /** Returns a connected client. */
  ActorRef<RdmaConnectionProtocol.Command> client(String name, RdmaClientOptions options) {
    RdmaConnectionProtocol.OpenReply reply = openClient(name, options).receiveMessage();
    assertThat(reply).isInstanceOf(RdmaConnectionProtocol.Opened.class);
    return endings.watch(((RdmaConnectionProtocol.Opened) reply).context());
  }

  /** Returns a connection that waits for the description of its peer. */
  Exported exported(ActorRef<RdmaProtocol.Command> context) {
    TestProbe<ExportReply> probe = system.kit.createTestProbe();
    context.tell(new Export("exported", Optional.of(behavior()), probe.getRef()));
    Exported exported = (Exported) probe.receiveMessage();
    endings.watch(exported.connection());
    return exported;
  }

  void connect(ActorRef<RdmaConnectionProtocol.Command> connection, byte[] details) {
    TestProbe<ConnectReply> probe = system.kit.createTestProbe();
    connection.tell(new Connect(details, probe.getRef()));
    assertThat(probe.receiveMessage()).isInstanceOf(Connected.class);
  }

  /** Waits until a client has begun its attempt to connect and has no answer. */
  void awaitConnecting() {
    Awaitility.await()
        .atMost(Duration.ofSeconds(10))
        .pollInterval(Duration.ofMillis(1))
        .until(this::isConnecting);
  }

  private boolean isConnecting() {
    List<NodeLog.Step> ofClients =
        nodes.steps().stream().filter(step -> step.node().startsWith("there/connection-")).toList();
    return !ofClients.isEmpty() && ofClients.get(ofClients.size() - 1).to().equals("STARTING");
  }

  /** Returns a client that is not connected. */
  ActorRef<RdmaConnectionProtocol.Command> clientOf(String name) {
    String path = there.path().child(name).toString();
    return endings.watch(ActorRefResolver.get(system.kit.system()).resolveActorRef(path));
  }

  /** Returns the next connection of the listener. */
  Served accepted() {
    Served next = served.receiveMessage();
    endings.watch(next.connection());
    endings.watch(next.behavior());
    return next;
  }

  /** Sends a text over a connection of this engine. The buffer is released with the answer. */
  void send(
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<RdmaConnectionProtocol.Command> connection,
      String text) {
    BufferPool pool = ComchPair.pool(system, engine, 1, 64);
    Buffer buffer = RunningSystem.buffer(pool, text.getBytes(StandardCharsets.UTF_8));
    connection.tell(new Send(buffer, 1, releasing()));
  }

  private ActorRef<Reply> releasing() {
    return system.kit.spawn(
        Behaviors.receiveMessage(
            reply -> {
              if (!(reply instanceof Failed failed && failed.ownership() != Ownership.RETURNED)) {
                Buffer src = reply.src();
                if (src != null) {
                  src.release();
                }
              }
              replies.getRef().tell(reply);
              return Behaviors.stopped();
            }));
  }

  Connections connections() {
    return connections(listener);
  }

  Connections connections(ActorRef<RdmaListenerProtocol.Command> ofListener) {
    TestProbe<Connections> probe = system.kit.createTestProbe();
    ofListener.tell(new GetConnections(probe.getRef()));
    return probe.receiveMessage();
  }

  /**
   * Waits until the listener has exactly these open connections. The listener can receive the end
   * of a child after the test has received it.
   */
  Connections awaitOpen(ActorRef<?>... open) {
    return events.awaitAssert(
        () -> {
          Connections now = connections();
          assertThat(List.<ActorRef<?>>copyOf(now.open())).containsExactly(open);
          return now;
        });
  }

  /** Removes the device of one side: its context fails, and its connections end. */
  void loseDevice(boolean ofClients) {
    ActorRef<EngineProtocol.Command> engine = ofClients ? clients : system.engine;
    TestProbe<DmaProtocol.OpenReply> opened = system.kit.createTestProbe();
    TaskOptions options =
        TaskOptions.defaults()
            .onDevice(ofClients ? THERE : HERE)
            .withSupervision(SupervisorStrategy.stop().withLoggingEnabled(false));
    engine.tell(new OpenDma("dma", options, opened.getRef()));
    ActorRef<DmaProtocol.Command> dma = ((DmaProtocol.Opened) opened.receiveMessage()).context();
    BufferPool pool = ComchPair.pool(system, engine, 2, 64);
    Buffer src = RunningSystem.buffer(pool, (byte) 1);
    Buffer dst = RunningSystem.buffer(pool);
    TestProbe<TaskReply> copied = system.kit.createTestProbe();
    FreshSoftDpu.DEVICE.faults("dma-memcpy:lost");
    dma.tell(new Copy(src, dst, copied.getRef()));
    assertThat(copied.receiveMessage()).isInstanceOf(TaskReply.Failed.class);
    FreshSoftDpu.DEVICE.clearFaults();
    src.release();
    dst.release();
  }

  /** Returns a rule for {@code fishForMessage}: the first message of this class. */
  static <T> Function<T, FishingOutcome> until(Class<? extends T> last) {
    return message ->
        last.isInstance(message) ? FishingOutcomes.complete() : FishingOutcomes.continueAndIgnore();
  }

  Closed closed() {
    return (Closed) events.fishForMessage(SOON, until(Closed.class)).get(0);
  }

  /** Stops both engines and asserts that no resource is left. */
  void assertNothingLeft() {
    for (ActorRef<EngineProtocol.Command> engine : List.of(clients, system.engine)) {
      if (endings.hasEnded(engine)) {
        continue;
      }
      TestProbe<Stopped> stopped = system.kit.createTestProbe();
      engine.tell(new Stop(stopped.getRef()));
      assertThat(stopped.receiveMessage()).isEqualTo(Stopped.CLEAN);
    }
    endings.assertChildrenFirst();
    nodes.assertChildrenFirst();
  }

  @Override
  public void close() {
    blockPoint.release();
    system.close();
    nodes.close();
  }
}
