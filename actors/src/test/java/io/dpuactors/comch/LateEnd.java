package io.dpuactors.comch;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.comch.Scene.Data;
import io.dpuactors.comch.Scene.Pair;
import io.dpuactors.comch.Scene.Served;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.comch.ConsumerProtocol;
import io.dpuactors.protocol.comch.ProducerProtocol;
import io.dpuactors.protocol.comch.ProducerProtocol.Produced;
import io.dpuactors.testing.ComchPair;
import io.dpuactors.testing.FreshSoftDpu;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;

/** Subjects that are stopped while the device holds an operation beyond the stop deadline. */
@SuppressWarnings("ImmutableEnumChecker") // Lambdas without state.
enum LateEnd {
  SERVER(scene -> slowMessage(scene, Casting::server), "server", "server/connection-2"),
  CONNECTION(scene -> slowMessage(scene, Casting::connection), "server/connection-2"),
  CLIENT(scene -> slowMessage(scene, Casting::client), "subject"),
  PRODUCER(scene -> slowBlock(scene, Casting::producer), "server/connection-2/slow"),
  CONSUMER(LateEnd::slowReceive, "server/connection-2/in"),
  CONNECTION_OF_A_PRODUCER(
      scene -> slowBlock(scene, Casting::connection),
      "server/connection-2/slow",
      "server/connection-2"),
  SERVER_OF_A_PRODUCER(
      scene -> slowBlock(scene, Casting::server),
      "server/connection-2/slow",
      "server/connection-2",
      "server"),
  CLIENT_OF_A_CONSUMER(LateEnd::slowReceiveOfClient, "subject/in", "subject");

  private static final String BRIEF =
      """
      dpu.comch {
        server { drain-deadline = 50ms, stop-deadline = 50ms }
        client { drain-deadline = 50ms, stop-deadline = 50ms }
        connection { drain-deadline = 50ms, stop-deadline = 50ms }
        producer { drain-deadline = 50ms, stop-deadline = 50ms }
        consumer { stop-deadline = 50ms }
      }
      """;

  final String settings = BRIEF;
  final Function<Scene, Cast> begin;

  /** names of the native halves that are given up */
  final List<String> lost;

  LateEnd(Function<Scene, Cast> begin, String... lost) {
    this.begin = begin;
    this.lost = List.of(lost);
  }

  private static Cast slowMessage(Scene scene, BiFunction<Scene, Pair, Cast> role) {
    Pair pair = scene.pair(false);
    Cast cast = role.apply(scene, pair);
    FreshSoftDpu.DEVICE.faults("comch-send:delay=1s:nth=1");
    scene.send(cast.isClient() ? pair.client() : pair.served().connection(), "slow");
    Casting.awaitDelayed();
    return cast;
  }

  private static Cast slowBlock(Scene scene, BiFunction<Scene, Pair, Cast> role) {
    Pair pair = scene.pair(true);
    FreshSoftDpu.DEVICE.faults("comch-producer-send:delay=1s");
    Casting.slowBlock(scene, pair);
    Casting.awaitDelayed();
    return role.apply(scene, pair);
  }

  private static Cast slowReceive(Scene scene) {
    Pair pair = scene.pair(false);
    fill(
        scene,
        pair,
        new Side(scene.system.engine, pair.served()),
        new Side(scene.clients, pair.clientSide().get(0)));
    return Casting.consumer(scene, pair);
  }

  private static Cast slowReceiveOfClient(Scene scene) {
    Pair pair = scene.pair(false);
    fill(
        scene,
        pair,
        new Side(scene.clients, pair.clientSide().get(0)),
        new Side(scene.system.engine, pair.served()));
    return Casting.client(scene, pair);
  }

  /** One end of a connection. */
  private record Side(ActorRef<EngineProtocol.Command> engine, Served served) {
    BufferPool pool(Scene scene) {
      return ComchPair.pool(scene.system, engine, 1, 64);
    }
  }

  /** Fills a buffer of a consumer, whose device delays the completion. */
  private static void fill(Scene scene, Pair pair, Side to, Side from) {
    BufferPool into = to.pool(scene);
    ActorRef<ConsumerProtocol.Command> consumer =
        scene.consumer(to.served.connection(), "in", into);
    int id = scene.id(consumer);
    Casting.await("the peer knows it", () -> from.served.joined().contains(id));
    FreshSoftDpu.DEVICE.faults("comch-post-recv:delay=1s");
    scene.post(consumer, into);
    ActorRef<ProducerProtocol.Command> producer = scene.producer(from.served.connection(), "out");
    scene.produce(producer, from.pool(scene), id);
    scene.ledger.await(Produced.class, 1);
    pair.data().add(new Data(consumer, producer, into));
    pair.all().addAll(List.of(consumer, producer));
  }
}
