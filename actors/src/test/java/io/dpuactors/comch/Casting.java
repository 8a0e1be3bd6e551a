package io.dpuactors.comch;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.comch.Scene.Data;
import io.dpuactors.comch.Scene.Pair;
import io.dpuactors.comch.Scene.Served;
import io.dpuactors.protocol.comch.ClientEvent;
import io.dpuactors.protocol.comch.ClientEvent.Connected;
import io.dpuactors.protocol.comch.ClientEvent.Lost;
import io.dpuactors.protocol.comch.ConnectionEvent.Message;
import io.dpuactors.protocol.comch.ConnectionProtocol;
import io.dpuactors.protocol.comch.ConnectionProtocol.OpenConsumer;
import io.dpuactors.protocol.comch.ConnectionProtocol.OpenProducer;
import io.dpuactors.protocol.comch.ConsumerProtocol;
import io.dpuactors.protocol.comch.DataOptions;
import io.dpuactors.protocol.comch.ProducerProtocol;
import io.dpuactors.protocol.comch.ServerProtocol;
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
final class Casting {
  private static final Message THROW = new Message("throw".getBytes(StandardCharsets.US_ASCII));

  /** Delay of device operations; long enough for the test to cause an event before their end. */
  private static final String DELAY = "300ms";

  private Casting() {}

  static Cast serverAlone(Scene scene) {
    scene.bystander.tell(ConnectionProtocol.Stop.INSTANCE);
    scene.endings.await(List.of(scene.bystander, scene.bystanderServed.connection()));
    Runnable stop = () -> scene.server.tell(ServerProtocol.Stop.INSTANCE);
    return new Cast(false, List.of(scene.server), List.of(), List.of(), stop, stop, stop, stop);
  }

  static Cast server(Scene scene, Pair pair) {
    return new Cast(
        false,
        plus(scene, pair),
        pair.all(),
        List.of(),
        () -> scene.server.tell(ServerProtocol.Stop.INSTANCE),
        () -> {},
        () -> pair.client().tell(ConnectionProtocol.Stop.INSTANCE),
        () -> pair.served().behavior().tell(THROW));
  }

  static Cast connection(Scene scene, Pair pair) {
    return new Cast(
        false,
        pair.all(),
        pair.all(),
        plus(scene, pair),
        () -> pair.served().connection().tell(ConnectionProtocol.Stop.INSTANCE),
        () -> scene.server.tell(ServerProtocol.Stop.INSTANCE),
        () -> pair.client().tell(ConnectionProtocol.Stop.INSTANCE),
        () -> pair.served().behavior().tell(THROW));
  }

  static Cast client(Scene scene, Pair pair) {
    return new Cast(
        true,
        pair.all(),
        pair.all(),
        pair.all(),
        () -> pair.client().tell(ConnectionProtocol.Stop.INSTANCE),
        () -> {},
        () -> pair.served().connection().tell(ConnectionProtocol.Stop.INSTANCE),
        () -> pair.clientSide().forEach(one -> one.behavior().tell(THROW)));
  }

  static Cast producer(Scene scene, Pair pair) {
    ActorRef<ProducerProtocol.Command> subject = pair.data().get(0).producer();
    return data(scene, pair, subject, () -> subject.tell(ProducerProtocol.Stop.INSTANCE));
  }

  static Cast consumer(Scene scene, Pair pair) {
    ActorRef<ConsumerProtocol.Command> subject = pair.data().get(0).consumer();
    return data(scene, pair, subject, () -> subject.tell(ConsumerProtocol.Stop.INSTANCE));
  }

  private static Cast data(Scene scene, Pair pair, ActorRef<?> subject, Runnable stop) {
    Cast connection = connection(scene, pair);
    return new Cast(
        false,
        List.of(subject),
        pair.all(),
        pair.all(),
        stop,
        connection.stop(),
        connection.stopPeer(),
        connection.fail());
  }

  private static List<ActorRef<?>> plus(Scene scene, Pair pair) {
    List<ActorRef<?>> all = new ArrayList<>(pair.all());
    all.add(scene.server);
    return all;
  }

  /** The subject was stopped. Delayed device operations keep it from ending. */
  static Cast stopping(Scene scene, BiFunction<Scene, Pair, Cast> role) {
    Pair pair = scene.pair(true);
    FreshSoftDpu.DEVICE.faults("comch-send:delay=" + DELAY + ";comch-producer-send:delay=" + DELAY);
    slowBlock(scene, pair);
    Cast cast = role.apply(scene, pair);
    scene.send(pair.client(), "quiet");
    scene.send(pair.served().connection(), "quiet");
    cast.stop().run();
    return cast;
  }

  /** The subject is open and has no requests. */
  static Cast idle(Scene scene, BiFunction<Scene, Pair, Cast> role) {
    Pair pair = scene.pair(false);
    ActorRef<ConnectionProtocol.Command> connection = pair.served().connection();
    BufferPool pool = ComchPair.pool(scene.system, scene.system.engine, 1, 64);
    Data data =
        new Data(scene.consumer(connection, "in", pool), scene.producer(connection, "out"), pool);
    pair.data().add(data);
    pair.all().addAll(List.of(data.consumer(), data.producer()));
    return role.apply(scene, pair);
  }

  /** The client has opened a consumer. The peer's engine is blocked and cannot confirm it. */
  static Cast openingConsumer(Scene scene) {
    Pair pair = scene.pair(false);
    BufferPool pool = ComchPair.pool(scene.system, scene.clients, 1, 64);
    block(scene);
    scene.openConsumer(pair.client(), "in", pool);
    await("the consumer starts", () -> scene.nodes.isIn("subject/in", "STARTING"));
    return client(scene, pair);
  }

  /** Blocks the server's engine until the gate opens. */
  static void block(Scene scene) {
    scene.bystanderServed.behavior().tell(new Message("block".getBytes(StandardCharsets.US_ASCII)));
    scene.gate.awaitHeld();
  }

  /** The server has lost its device and restarts. Its predecessor still has a message to send. */
  static Cast serverReopening(Scene scene) {
    Pair pair = scene.pair(false);
    FreshSoftDpu.DEVICE.faults("comch-send:delay=" + DELAY);
    scene.send(pair.served().connection(), "slow");
    awaitDelayed();
    scene.loseDevice(false);
    scene.endings.await(pair.all());
    Runnable stop = () -> scene.server.tell(ServerProtocol.Stop.INSTANCE);
    return new Cast(
        false, List.of(scene.server), List.of(), List.of(), stop, stop, () -> {}, () -> {});
  }

  /** The client has lost its server and reconnects. Its predecessor still has a message to send. */
  static Cast clientReopening(Scene scene) {
    ActorRef<ConnectionProtocol.Command> client =
        scene.client(
            "subject",
            Scene.client().withSupervision(SupervisorStrategy.restart().withLoggingEnabled(false)));
    Served served = scene.accepted();
    FreshSoftDpu.DEVICE.faults("comch-send:delay=" + DELAY);
    scene.send(client, "slow");
    awaitDelayed();
    served.connection().tell(ConnectionProtocol.Stop.INSTANCE);
    scene.heardUntil(Lost.class);
    scene.endings.await(List.of(served.connection()));
    return lonely(client, List.of(client, served.connection(), served.behavior()));
  }

  /** Ends a client {@code subject} whose message the device holds for {@code delay}. */
  static void predecessor(Scene scene, String delay) {
    Duration briefly = Duration.ofMillis(1);
    ActorRef<ConnectionProtocol.Command> client =
        scene.client(
            "subject",
            Scene.client()
                .withSupervision(
                    SupervisorStrategy.restartWithBackoff(briefly, briefly, 0)
                        .withMaxRestarts(0)
                        .withLoggingEnabled(false)));
    Served served = scene.accepted();
    FreshSoftDpu.DEVICE.faults("comch-send:delay=" + delay + ":nth=1");
    scene.send(client, "slow");
    awaitDelayed();
    served.connection().tell(ConnectionProtocol.Stop.INSTANCE);
    scene.endings.await(List.of(client, served.connection(), served.behavior()));
  }

  /** Sends a block to a buffer that the client has posted. The producer becomes the subject. */
  static void slowBlock(Scene scene, Pair pair) {
    ActorRef<ProducerProtocol.Command> producer =
        scene.producer(pair.served().connection(), "slow");
    Data ofServer = pair.data().get(0);
    scene.produce(producer, ofServer.pool(), scene.id(pair.data().get(1).consumer()));
    pair.data().set(0, new Data(ofServer.consumer(), producer, ofServer.pool()));
    pair.all().add(producer);
  }

  /** Only the first half of a payload has arrived. */
  static Pair midMessage(Scene scene) {
    Pair pair = scene.pair(false);
    FreshSoftDpu.DEVICE.faults("comch-send:delay=" + DELAY + ":nth=3");
    scene.send(pair.client(), new byte[200_000]);
    return pair;
  }

  /** The connection has requests to open a consumer and a producer. Their progress is undefined. */
  static Pair openingData(Scene scene) {
    Pair pair = scene.pair(false);
    ActorRef<ConnectionProtocol.Command> connection = pair.served().connection();
    DataOptions memory = DataOptions.into(ComchPair.pool(scene.system, scene.system.engine, 1, 64));
    connection.tell(new OpenConsumer("in", memory, scene.ledger.asks(Kind.OPEN)));
    connection.tell(new OpenProducer("out", DataOptions.defaults(), scene.ledger.asks(Kind.OPEN)));
    return pair;
  }

  /** The server has closed the connection. The client has unread messages of this server. */
  static Cast losing(Scene scene) {
    ActorRef<ConnectionProtocol.Command> client = scene.client("subject", Scene.client());
    Served served = scene.accepted();
    for (int i = 0; i < 3; i++) {
      scene.send(served.connection(), "unread " + i);
    }
    served.connection().tell(ConnectionProtocol.Stop.INSTANCE);
    await("the client is losing", () -> scene.nodes.isIn("subject", "DRAINING"));
    List<ActorRef<?>> all = List.of(client, served.connection(), served.behavior());
    return lonely(client, all);
  }

  private static Cast lonely(ActorRef<ConnectionProtocol.Command> client, List<ActorRef<?>> dies) {
    Runnable nothing = () -> {};
    Runnable stop = () -> client.tell(ConnectionProtocol.Stop.INSTANCE);
    return new Cast(true, dies, List.of(), dies, stop, nothing, nothing, nothing);
  }

  /** The server has closed the connection. The client waits before its next attempt. */
  static Cast waiting(Scene scene) {
    return lost(scene, Duration.ofSeconds(60));
  }

  /** As {@link #waiting}, with waiting requests. */
  static Cast backingOff(Scene scene) {
    Cast cast = waiting(scene);
    @SuppressWarnings("unchecked")
    ActorRef<ConnectionProtocol.Command> client =
        (ActorRef<ConnectionProtocol.Command>) cast.dies().get(0);
    scene.send(client, "in vain");
    scene.receive(client);
    client.tell(new OpenProducer("out", DataOptions.defaults(), scene.ledger.asks(Kind.OPEN)));
    return cast;
  }

  private static Cast lost(Scene scene, Duration backoff) {
    ActorRef<ConnectionProtocol.Command> client =
        scene.client(
            "subject",
            Scene.client()
                .withSupervision(
                    SupervisorStrategy.restartWithBackoff(backoff, backoff, 0)
                        .withLoggingEnabled(false)));
    Served served = scene.accepted();
    assertThat(scene.heardNext()).isInstanceOf(Connected.class);
    served.connection().tell(ConnectionProtocol.Stop.INSTANCE);
    ClientEvent heard = scene.heardNext();
    assertThat(heard).isInstanceOf(Lost.class);
    await("the first life is over", () -> scene.nodes.isIn("subject", "GONE"));
    return lonely(client, List.of(client, served.connection(), served.behavior()));
  }

  /** The server exists and does not answer. */
  static Cast connecting(Scene scene) {
    Cast cast = lost(scene, Duration.ofMillis(300));
    block(scene);
    await("the client tries again", () -> scene.nodes.isIn("subject", "STARTING"));
    return cast;
  }

  /** Waits until the device has an operation that the fault plan delays. */
  static void awaitDelayed() {
    await(
        "the device has it",
        () -> FreshSoftDpu.DEVICE.faultCounters().getOrDefault("delayed", 0L) > 0);
  }

  static void await(String what, java.util.concurrent.Callable<Boolean> condition) {
    Awaitility.await(what).atMost(Scene.SOON).pollInterval(Duration.ofMillis(1)).until(condition);
  }
}
