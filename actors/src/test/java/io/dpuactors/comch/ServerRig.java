package io.dpuactors.comch;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.protocol.ClientEvent;
import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionOptions;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.AwaitConsumer;
import io.dpuactors.protocol.ConnectionProtocol.AwaitReply;
import io.dpuactors.protocol.ConnectionProtocol.ConsumerThere;
import io.dpuactors.protocol.ConnectionProtocol.OpenConsumer;
import io.dpuactors.protocol.ConnectionProtocol.OpenProducer;
import io.dpuactors.protocol.ConnectionProtocol.ReceiveMessage;
import io.dpuactors.protocol.ConnectionProtocol.ReceiveReply;
import io.dpuactors.protocol.ConnectionProtocol.Received;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.ConsumerProtocol;
import io.dpuactors.protocol.ConsumerProtocol.ConsumerId;
import io.dpuactors.protocol.ConsumerProtocol.Post;
import io.dpuactors.protocol.DataOptions;
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.DmaProtocol.Copy;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenDma;
import io.dpuactors.protocol.MemoryProtocol;
import io.dpuactors.protocol.MessageFraming;
import io.dpuactors.protocol.ProducerProtocol;
import io.dpuactors.protocol.ProducerProtocol.Produce;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.protocol.ServerProtocol;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.testing.BlockPoint;
import io.dpuactors.testing.ComchPair;
import io.dpuactors.testing.Endings;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.Ledger;
import io.dpuactors.testing.Ledger.Kind;
import io.dpuactors.testing.NodeLog;
import io.dpuactors.testing.RunningSystem;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.SupervisorStrategy;

/**
 * A server on one engine, clients on another engine, and records of requests, ends and phases. The
 * first client is the bystander: events of the other clients do not affect it.
 */
final class ServerRig implements AutoCloseable {
  /**
   * Bound of a wait for something that happens at once. The wait ends before a probe's wait for it.
   */
  static final Duration SOON = Duration.ofSeconds(15);

  static final Duration LONG = Duration.ofSeconds(30);
  static final String SERVICE = "test-rig";

  /** The consumer, producer and pool of one end of a connection. */
  record Data(
      ActorRef<ConsumerProtocol.Command> consumer,
      ActorRef<ProducerProtocol.Command> producer,
      BufferPool pool) {}

  /** A client and the behavior that serves it. */
  record Pair(
      ActorRef<ConnectionProtocol.Command> client,
      Served served,
      List<Served> clientSide,
      List<Data> data,
      List<ActorRef<?>> all) {}

  final NodeLog nodes = new NodeLog();
  final RunningSystem system;
  final ActorRef<EngineProtocol.Command> clients;
  final Ledger ledger;
  final Endings endings;
  final TestProbe<Served> served;
  final ActorRef<ServerProtocol.Command> server;
  final BlockPoint blockPoint = new BlockPoint();
  private TestProbe<ClientEvent> events;
  final ActorRef<ConnectionProtocol.Command> bystander;
  final Served bystanderServed;

  /**
   * A behavior that serves a connection.
   *
   * @param joined ids of the peer's consumers that joined
   */
  record Served(
      ActorRef<ConnectionProtocol.Command> connection,
      ActorRef<ConnectionEvent> behavior,
      Queue<Integer> joined) {}

  private ServerRig(String overrides) {
    system = RunningSystem.create(overrides);
    clients = system.spawnEngine("two");
    ledger = new Ledger(system.kit);
    endings = new Endings(system.kit);
    served = system.kit.createTestProbe();
    events = system.kit.createTestProbe();
    server =
        endings.watch(
            ComchPair.server(
                system,
                ServerOptions.of(SERVICE, TestService.reporting(served.getRef(), blockPoint))
                    .withConnections(options())));
    bystander = client("bystander", client());
    bystanderServed = accepted();
  }

  /** Creates a rig with a bystander. */
  static ServerRig create(String overrides) {
    return new ServerRig(overrides);
  }

  static ConnectionOptions options() {
    return ConnectionOptions.defaults().withFraming(new MessageFraming(1 << 20));
  }

  static ClientOptions client() {
    return ClientOptions.of(SERVICE).withConnection(options());
  }

  /** Opens a client and waits until it is connected. */
  ActorRef<ConnectionProtocol.Command> client(String name, ClientOptions options) {
    events = system.kit.createTestProbe();
    return endings.watch(
        ComchPair.client(system, clients, name, options.withListener(events.getRef())));
  }

  /**
   * Opens one more client, which has a behavior too. {@code transfers} starts data in both
   * directions.
   */
  Pair pair(boolean transfers) {
    TestProbe<Served> clientSide = system.kit.createTestProbe();
    ActorRef<ConnectionProtocol.Command> client =
        client(
            "subject",
            client().withBehavior(TestService.reporting(clientSide.getRef(), blockPoint)));
    Served ofServer = accepted();
    Served ofClient = clientSide.receiveMessage();
    endings.watch(ofClient.behavior());
    List<ActorRef<?>> all =
        new ArrayList<>(
            List.of(client, ofServer.connection(), ofServer.behavior(), ofClient.behavior()));
    List<Data> data = new ArrayList<>();
    if (transfers) {
      int ofThem = idle(clients, client, ofServer.connection());
      int ofUs = idle(system.engine, ofServer.connection(), client);
      data.add(transfer(system.engine, ofServer.connection(), ofThem));
      data.add(transfer(clients, client, ofUs));
      data.forEach(one -> all.addAll(List.of(one.consumer(), one.producer())));
    }
    return new Pair(client, ofServer, List.of(ofClient), data, all);
  }

  /** Returns the newest connection of the server. */
  Served accepted() {
    Served fresh = served.receiveMessage();
    endings.watch(fresh.connection());
    endings.watch(fresh.behavior());
    return fresh;
  }

  /** Sends a message with a request for an answer. */
  void send(ActorRef<ConnectionProtocol.Command> connection, String text) {
    send(connection, text.getBytes(StandardCharsets.US_ASCII));
  }

  void send(ActorRef<ConnectionProtocol.Command> connection, byte[] bytes) {
    connection.tell(new Send(bytes, ledger.tag(), Optional.of(ledger.asks(Kind.SEND))));
  }

  void receive(ActorRef<ConnectionProtocol.Command> connection) {
    connection.tell(new ReceiveMessage(LONG, ledger.asks(Kind.RECEIVE)));
  }

  /** Asserts that both ends can use the connection. */
  void assertAlive(ActorRef<ConnectionProtocol.Command> client) {
    TestProbe<ReceiveReply> probe = system.kit.createTestProbe();
    client.tell(new ReceiveMessage(SOON, probe.getRef()));
    client.tell(Send.orFail("ping"));
    ReceiveReply reply = probe.receiveMessage();
    assertThat(reply).isInstanceOf(Received.class);
    assertThat(((Received) reply).message().text()).isEqualTo("pong");
  }

  /**
   * Opens a consumer and a producer on a connection. The consumer has two posted buffers and no
   * sender. The producer has three requests to a consumer of the peer that never posts.
   */
  Data transfer(
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<ConnectionProtocol.Command> connection,
      int idle) {
    BufferPool pool = ComchPair.pool(system, engine, 8, 4096);
    ActorRef<ConsumerProtocol.Command> consumer = consumer(connection, "in", pool);
    ActorRef<ProducerProtocol.Command> producer = producer(connection, "out");
    for (int i = 0; i < 2; i++) {
      post(consumer, pool);
    }
    for (int i = 0; i < 3; i++) {
      produce(producer, pool, idle);
    }
    return new Data(consumer, producer, pool);
  }

  /** Opens a consumer that posts nothing, and returns its id at the peer. */
  int idle(
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<ConnectionProtocol.Command> connection,
      ActorRef<ConnectionProtocol.Command> peer) {
    consumer(connection, "idle", ComchPair.pool(system, engine, 1, 64));
    TestProbe<AwaitReply> there = system.kit.createTestProbe();
    peer.tell(new AwaitConsumer(SOON, there.getRef()));
    return ((ConsumerThere) there.receiveMessage()).consumer();
  }

  void openConsumer(ActorRef<ConnectionProtocol.Command> connection, String name, BufferPool pool) {
    connection.tell(new OpenConsumer(name, DataOptions.into(pool), ledger.asks(Kind.OPEN)));
  }

  void close(ActorRef<EngineProtocol.Command> engine, BufferPool pool) {
    TestProbe<MemoryProtocol.PoolClosed> closed = system.kit.createTestProbe();
    engine.tell(new MemoryProtocol.ClosePool(pool, closed.getRef()));
    assertThat(closed.receiveMessage().failure()).isEmpty();
  }

  ActorRef<ConsumerProtocol.Command> consumer(
      ActorRef<ConnectionProtocol.Command> connection, String name, BufferPool pool) {
    TestProbe<ConsumerProtocol.OpenReply> opened = system.kit.createTestProbe();
    connection.tell(new OpenConsumer(name, DataOptions.into(pool), opened.getRef()));
    return endings.watch(((ConsumerProtocol.Opened) opened.receiveMessage()).context());
  }

  ActorRef<ProducerProtocol.Command> producer(
      ActorRef<ConnectionProtocol.Command> connection, String name) {
    TestProbe<ProducerProtocol.OpenReply> opened = system.kit.createTestProbe();
    connection.tell(new OpenProducer(name, DataOptions.defaults(), opened.getRef()));
    return endings.watch(((ProducerProtocol.Opened) opened.receiveMessage()).context());
  }

  /** Returns the id of a consumer at the peer. */
  int id(ActorRef<ConsumerProtocol.Command> consumer) {
    TestProbe<ConsumerId> id = system.kit.createTestProbe();
    consumer.tell(new ConsumerProtocol.GetId(id.getRef()));
    return id.receiveMessage().id();
  }

  /** Returns the next event of the newest client's listener. */
  ClientEvent nextEvent() {
    return events.receiveMessage();
  }

  /** Returns the listener's next event of a kind; skips other events. */
  ClientEvent awaitEvent(Class<? extends ClientEvent> kind) {
    ClientEvent next;
    do {
      next = nextEvent();
    } while (!kind.isInstance(next));
    return next;
  }

  void post(ActorRef<ConsumerProtocol.Command> consumer, BufferPool pool) {
    consumer.tell(new Post(lease(pool), ledger.tag(), ledger.asks(Kind.POST)));
  }

  void produce(ActorRef<ProducerProtocol.Command> producer, BufferPool pool, int to) {
    Buffer src = lease(pool);
    src.length(src.capacity());
    producer.tell(new Produce(src, to, ledger.tag(), ledger.asks(Kind.PRODUCE)));
  }

  private static Buffer lease(BufferPool pool) {
    Buffer buffer = pool.lease();
    assertThat(buffer).isNotNull();
    return buffer;
  }

  /** Asserts that all actors end, children before parents, and that each request has one answer. */
  void assertEnd(List<? extends ActorRef<?>> actors) throws InterruptedException {
    endings.await(actors);
    ledger.settle();
    endings.assertChildrenFirst();
  }

  /** Stops an actor, which may have ended, with two messages. The ledger counts their answers. */
  void stop(ActorRef<? super Stop> actor) {
    actor.tell(new Stop(ledger.asks(Kind.STOP)));
    actor.tell(new Stop(ledger.asks(Kind.STOP)));
  }

  /** Blocks the thread of an engine until the block point is released. */
  void blockEngine(boolean ofClients) {
    system.blockEngine(ofClients ? "two" : "one", blockPoint);
  }

  /** Removes the device on one side of the card, for all its users. May be called repeatedly. */
  void loseDevice(boolean ofClients) {
    TestProbe<DmaProtocol.OpenReply> opened = system.kit.createTestProbe();
    ActorRef<EngineProtocol.Command> engine = ofClients ? clients : system.engine;
    TaskOptions options =
        TaskOptions.defaults()
            .onDevice(ofClients ? "81:00.0" : "03:00.0")
            .withSupervision(SupervisorStrategy.stop().withLoggingEnabled(false));
    engine.tell(new OpenDma("dma-" + UUID.randomUUID(), options, opened.getRef()));
    ActorRef<DmaProtocol.Command> dma = ((DmaProtocol.Opened) opened.receiveMessage()).context();
    BufferPool pool = ComchPair.pool(system, engine, 2, 64);
    TestProbe<TaskReply> replies = system.kit.createTestProbe();
    FreshSoftDpu.DEVICE.faults("dma-memcpy:lost");
    Buffer src = RunningSystem.buffer(pool, (byte) 1);
    Buffer dst = lease(pool);
    dma.tell(new Copy(src, dst, replies.getRef()));
    assertThat(replies.receiveMessage()).isInstanceOf(Failed.class);
    FreshSoftDpu.DEVICE.clearFaults();
    src.release();
    dst.release();
  }

  /** Stops both engines and asserts that no resource is left. */
  void assertNothingLeft() throws InterruptedException {
    List<Stopped> stops = new ArrayList<>();
    for (ActorRef<EngineProtocol.Command> engine : List.of(clients, system.engine)) {
      TestProbe<Stopped> stopped = system.kit.createTestProbe();
      if (!endings.hasEnded(engine)) {
        engine.tell(new Stop(stopped.getRef()));
        stops.add(stopped.receiveMessage());
      }
    }
    assertThat(stops).allSatisfy(one -> assertThat(one.census()).isEqualTo("empty"));
    ledger.settle();
    endings.assertChildrenFirst();
    nodes.assertChildrenFirst();
  }

  @Override
  public void close() {
    nodes.close();
    system.close();
  }
}
