package io.dpuactors.comch;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.comch.ServerRig.Data;
import io.dpuactors.comch.ServerRig.Pair;
import io.dpuactors.comch.ServerRig.Served;
import io.dpuactors.protocol.ClientEvent;
import io.dpuactors.protocol.ClientEvent.Connected;
import io.dpuactors.protocol.ClientEvent.Lost;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.OpenConsumer;
import io.dpuactors.protocol.ConnectionProtocol.OpenProducer;
import io.dpuactors.protocol.ConsumerProtocol;
import io.dpuactors.protocol.DataOptions;
import io.dpuactors.protocol.ProducerProtocol;
import io.dpuactors.testing.ComchPair;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.Ledger.Kind;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.awaitility.Awaitility;

/** Brings the actors of {@link Subject} into their states. */
final class Fixtures {
  private static final Message THROW = new Message("throw".getBytes(StandardCharsets.US_ASCII));

  /** Delay of device operations; long enough for the test to cause an event before their end. */
  private static final String DELAY = "300ms";

  private Fixtures() {}

  static Fixture serverAlone(ServerRig rig) {
    rig.stop(rig.bystander);
    rig.endings.await(List.of(rig.bystander, rig.bystanderServed.connection()));
    Runnable stop = () -> rig.stop(rig.server);
    return new Fixture(false, List.of(rig.server), List.of(), List.of(), stop, stop, stop, stop);
  }

  static Fixture server(ServerRig rig, Pair pair) {
    return new Fixture(
        false,
        plus(rig, pair),
        pair.all(),
        List.of(),
        () -> rig.stop(rig.server),
        () -> {},
        () -> rig.stop(pair.client()),
        () -> pair.served().behavior().tell(THROW));
  }

  static Fixture connection(ServerRig rig, Pair pair) {
    return new Fixture(
        false,
        pair.all(),
        pair.all(),
        plus(rig, pair),
        () -> rig.stop(pair.served().connection()),
        () -> rig.stop(rig.server),
        () -> rig.stop(pair.client()),
        () -> pair.served().behavior().tell(THROW));
  }

  static Fixture client(ServerRig rig, Pair pair) {
    return new Fixture(
        true,
        pair.all(),
        pair.all(),
        pair.all(),
        () -> rig.stop(pair.client()),
        () -> {},
        () -> rig.stop(pair.served().connection()),
        () -> pair.clientSide().forEach(one -> one.behavior().tell(THROW)));
  }

  static Fixture producer(ServerRig rig, Pair pair) {
    ActorRef<ProducerProtocol.Command> subject = pair.data().get(0).producer();
    return data(rig, pair, subject, () -> rig.stop(subject));
  }

  static Fixture consumer(ServerRig rig, Pair pair) {
    ActorRef<ConsumerProtocol.Command> subject = pair.data().get(0).consumer();
    return data(rig, pair, subject, () -> rig.stop(subject));
  }

  private static Fixture data(ServerRig rig, Pair pair, ActorRef<?> subject, Runnable stop) {
    Fixture connection = connection(rig, pair);
    return new Fixture(
        false,
        List.of(subject),
        pair.all(),
        pair.all(),
        stop,
        connection.stop(),
        connection.stopPeer(),
        connection.fail());
  }

  private static List<ActorRef<?>> plus(ServerRig rig, Pair pair) {
    List<ActorRef<?>> all = new ArrayList<>(pair.all());
    all.add(rig.server);
    return all;
  }

  /** The subject was stopped. Delayed device operations keep it from ending. */
  static Fixture stopping(ServerRig rig, BiFunction<ServerRig, Pair, Fixture> role) {
    Pair pair = rig.pair(true);
    FreshSoftDpu.DEVICE.faults("comch-send:delay=" + DELAY + ";comch-producer-send:delay=" + DELAY);
    slowBlock(rig, pair);
    Fixture fixture = role.apply(rig, pair);
    rig.send(pair.client(), "quiet");
    rig.send(pair.served().connection(), "quiet");
    fixture.stop().run();
    return fixture;
  }

  /** The subject is open and has no requests. */
  static Fixture idle(ServerRig rig, BiFunction<ServerRig, Pair, Fixture> role) {
    Pair pair = rig.pair(false);
    ActorRef<ConnectionProtocol.Command> connection = pair.served().connection();
    BufferPool pool = ComchPair.pool(rig.system, rig.system.engine, 1, 64);
    Data data =
        new Data(rig.consumer(connection, "in", pool), rig.producer(connection, "out"), pool);
    pair.data().add(data);
    pair.all().addAll(List.of(data.consumer(), data.producer()));
    return role.apply(rig, pair);
  }

  /** The client has opened a consumer. The peer's engine is blocked and cannot confirm it. */
  static Fixture openingConsumer(ServerRig rig) {
    Pair pair = rig.pair(false);
    BufferPool pool = ComchPair.pool(rig.system, rig.clients, 1, 64);
    block(rig);
    rig.openConsumer(pair.client(), "in", pool);
    await("the consumer starts", () -> rig.nodes.isIn("subject/in", "STARTING"));
    return client(rig, pair);
  }

  /** Blocks the server's engine until its block point is released. */
  static void block(ServerRig rig) {
    rig.bystanderServed.behavior().tell(new Message("block".getBytes(StandardCharsets.US_ASCII)));
    rig.blockPoint.awaitBlocked();
  }

  /**
   * The server has lost its device and restarts. The predecessor of the restarted server still has
   * a message to send.
   */
  static Fixture serverReopening(ServerRig rig) {
    Pair pair = rig.pair(false);
    FreshSoftDpu.DEVICE.faults("comch-send:delay=" + DELAY);
    rig.send(pair.served().connection(), "slow");
    awaitDelayed();
    rig.loseDevice(false);
    rig.endings.await(pair.all());
    Runnable stop = () -> rig.stop(rig.server);
    return new Fixture(
        false, List.of(rig.server), List.of(), List.of(), stop, stop, () -> {}, () -> {});
  }

  /**
   * The client has lost its server and reconnects. The predecessor of the reconnected client still
   * has a message to send.
   */
  static Fixture clientReopening(ServerRig rig) {
    ActorRef<ConnectionProtocol.Command> client =
        rig.client(
            "subject",
            ServerRig.client()
                .withSupervision(SupervisorStrategy.restart().withLoggingEnabled(false)));
    Served served = rig.accepted();
    FreshSoftDpu.DEVICE.faults("comch-send:delay=" + DELAY);
    rig.send(client, "slow");
    awaitDelayed();
    rig.stop(served.connection());
    rig.awaitEvent(Lost.class);
    rig.endings.await(List.of(served.connection()));
    return clientAlone(rig, client, List.of(client, served.connection(), served.behavior()));
  }

  /** Ends a client {@code subject} whose message the device holds for {@code delay}. */
  static void predecessor(ServerRig rig, String delay) {
    Duration briefly = Duration.ofMillis(1);
    ActorRef<ConnectionProtocol.Command> client =
        rig.client(
            "subject",
            ServerRig.client()
                .withSupervision(
                    SupervisorStrategy.restartWithBackoff(briefly, briefly, 0)
                        .withMaxRestarts(0)
                        .withLoggingEnabled(false)));
    Served served = rig.accepted();
    FreshSoftDpu.DEVICE.faults("comch-send:delay=" + delay + ":nth=1");
    rig.send(client, "slow");
    awaitDelayed();
    rig.stop(served.connection());
    rig.endings.await(List.of(client, served.connection(), served.behavior()));
  }

  /** Sends a block to a buffer that the client has posted. The producer becomes the subject. */
  static void slowBlock(ServerRig rig, Pair pair) {
    ActorRef<ProducerProtocol.Command> producer = rig.producer(pair.served().connection(), "slow");
    Data ofServer = pair.data().get(0);
    rig.produce(producer, ofServer.pool(), rig.id(pair.data().get(1).consumer()));
    pair.data().set(0, new Data(ofServer.consumer(), producer, ofServer.pool()));
    pair.all().add(producer);
  }

  /** Only the first half of a payload has arrived. */
  static Pair midMessage(ServerRig rig) {
    Pair pair = rig.pair(false);
    FreshSoftDpu.DEVICE.faults("comch-send:delay=" + DELAY + ":nth=3");
    rig.send(pair.client(), new byte[200_000]);
    return pair;
  }

  /**
   * The connection has requests to open a consumer and a producer. The progress of these requests
   * is undefined.
   */
  static Pair openingData(ServerRig rig) {
    Pair pair = rig.pair(false);
    ActorRef<ConnectionProtocol.Command> connection = pair.served().connection();
    DataOptions memory = DataOptions.into(ComchPair.pool(rig.system, rig.system.engine, 1, 64));
    connection.tell(new OpenConsumer("in", memory, rig.ledger.asks(Kind.OPEN)));
    connection.tell(new OpenProducer("out", DataOptions.defaults(), rig.ledger.asks(Kind.OPEN)));
    return pair;
  }

  /** The server has closed the connection. The client has unread messages of this server. */
  static Fixture losing(ServerRig rig) {
    ActorRef<ConnectionProtocol.Command> client = rig.client("subject", ServerRig.client());
    Served served = rig.accepted();
    for (int i = 0; i < 3; i++) {
      rig.send(served.connection(), "unread " + i);
    }
    rig.stop(served.connection());
    await("the client is losing", () -> rig.nodes.isIn("subject", "DRAINING"));
    List<ActorRef<?>> all = List.of(client, served.connection(), served.behavior());
    return clientAlone(rig, client, all);
  }

  private static Fixture clientAlone(
      ServerRig rig, ActorRef<ConnectionProtocol.Command> client, List<ActorRef<?>> ends) {
    Runnable nothing = () -> {};
    Runnable stop = () -> rig.stop(client);
    return new Fixture(true, ends, List.of(), ends, stop, nothing, nothing, nothing);
  }

  /** The server has closed the connection. The client waits before its next attempt. */
  static Fixture waiting(ServerRig rig) {
    return lost(rig, Duration.ofSeconds(60));
  }

  /** As {@link #waiting}, with waiting requests. */
  static Fixture backingOff(ServerRig rig) {
    Fixture fixture = waiting(rig);
    @SuppressWarnings("unchecked")
    ActorRef<ConnectionProtocol.Command> client =
        (ActorRef<ConnectionProtocol.Command>) fixture.ends().get(0);
    rig.send(client, "in vain");
    rig.receive(client);
    client.tell(new OpenProducer("out", DataOptions.defaults(), rig.ledger.asks(Kind.OPEN)));
    return fixture;
  }

  private static Fixture lost(ServerRig rig, Duration backoff) {
    ActorRef<ConnectionProtocol.Command> client =
        rig.client(
            "subject",
            ServerRig.client()
                .withSupervision(
                    SupervisorStrategy.restartWithBackoff(backoff, backoff, 0)
                        .withLoggingEnabled(false)));
    Served served = rig.accepted();
    assertThat(rig.nextEvent()).isInstanceOf(Connected.class);
    rig.stop(served.connection());
    ClientEvent event = rig.nextEvent();
    assertThat(event).isInstanceOf(Lost.class);
    await("the first life is over", () -> rig.nodes.isIn("subject", "GONE"));
    return clientAlone(rig, client, List.of(client, served.connection(), served.behavior()));
  }

  /** The server exists and does not answer. */
  static Fixture connecting(ServerRig rig) {
    Fixture fixture = lost(rig, Duration.ofMillis(300));
    block(rig);
    await("the client tries again", () -> rig.nodes.isIn("subject", "STARTING"));
    return fixture;
  }

  /** Waits until the device has an operation that the fault plan delays. */
  static void awaitDelayed() {
    await(
        "the device has it",
        () -> FreshSoftDpu.DEVICE.faultCounters().getOrDefault("delayed", 0L) > 0);
  }

  static void await(String what, java.util.concurrent.Callable<Boolean> condition) {
    Awaitility.await(what)
        .atMost(ServerRig.SOON)
        .pollInterval(Duration.ofMillis(1))
        .until(condition);
  }
}
