package io.dpuactors.comch;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.comch.ServerRig.Data;
import io.dpuactors.comch.ServerRig.Pair;
import io.dpuactors.comch.ServerRig.Served;
import io.dpuactors.protocol.ConsumerProtocol;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.ProducerProtocol;
import io.dpuactors.protocol.ProducerProtocol.Produced;
import io.dpuactors.testing.ComchPair;
import io.dpuactors.testing.FreshSoftDpu;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;

/** Subjects that are stopped while the device holds an operation beyond the stop deadline. */
@SuppressWarnings("ImmutableEnumChecker") // Lambdas without state.
enum LateEnd {
  SERVER(rig -> slowMessage(rig, Fixtures::server), "server", "server/connection-2"),
  CONNECTION(rig -> slowMessage(rig, Fixtures::connection), "server/connection-2"),
  CLIENT(rig -> slowMessage(rig, Fixtures::client), "subject"),
  PRODUCER(rig -> slowBlock(rig, Fixtures::producer), "server/connection-2/slow"),
  CONSUMER(LateEnd::slowReceive, "server/connection-2/in"),
  CONNECTION_OF_A_PRODUCER(
      rig -> slowBlock(rig, Fixtures::connection),
      "server/connection-2/slow",
      "server/connection-2"),
  SERVER_OF_A_PRODUCER(
      rig -> slowBlock(rig, Fixtures::server),
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
  final Function<ServerRig, Fixture> begin;

  /** names of the native halves that are abandoned */
  final List<String> lost;

  LateEnd(Function<ServerRig, Fixture> begin, String... lost) {
    this.begin = begin;
    this.lost = List.of(lost);
  }

  private static Fixture slowMessage(ServerRig rig, BiFunction<ServerRig, Pair, Fixture> role) {
    Pair pair = rig.pair(false);
    Fixture fixture = role.apply(rig, pair);
    FreshSoftDpu.DEVICE.faults("comch-send:delay=1s:nth=1");
    rig.send(fixture.isClient() ? pair.client() : pair.served().connection(), "slow");
    Fixtures.awaitDelayed();
    return fixture;
  }

  private static Fixture slowBlock(ServerRig rig, BiFunction<ServerRig, Pair, Fixture> role) {
    Pair pair = rig.pair(true);
    FreshSoftDpu.DEVICE.faults("comch-producer-send:delay=1s");
    Fixtures.slowBlock(rig, pair);
    Fixtures.awaitDelayed();
    return role.apply(rig, pair);
  }

  private static Fixture slowReceive(ServerRig rig) {
    Pair pair = rig.pair(false);
    fill(
        rig,
        pair,
        new Side(rig.system.engine, pair.served()),
        new Side(rig.clients, pair.clientSide().get(0)));
    return Fixtures.consumer(rig, pair);
  }

  private static Fixture slowReceiveOfClient(ServerRig rig) {
    Pair pair = rig.pair(false);
    fill(
        rig,
        pair,
        new Side(rig.clients, pair.clientSide().get(0)),
        new Side(rig.system.engine, pair.served()));
    return Fixtures.client(rig, pair);
  }

  /** One end of a connection. */
  private record Side(ActorRef<EngineProtocol.Command> engine, Served served) {
    BufferPool pool(ServerRig rig) {
      return ComchPair.pool(rig.system, engine, 1, 64);
    }
  }

  /** Fills a buffer of a consumer, whose device delays the completion. */
  private static void fill(ServerRig rig, Pair pair, Side to, Side from) {
    BufferPool into = to.pool(rig);
    ActorRef<ConsumerProtocol.Command> consumer = rig.consumer(to.served.connection(), "in", into);
    int id = rig.id(consumer);
    Fixtures.await("the peer knows it", () -> from.served.joined().contains(id));
    FreshSoftDpu.DEVICE.faults("comch-post-recv:delay=1s");
    rig.post(consumer, into);
    ActorRef<ProducerProtocol.Command> producer = rig.producer(from.served.connection(), "out");
    rig.produce(producer, from.pool(rig), id);
    rig.ledger.await(Produced.class, 1);
    pair.data().add(new Data(consumer, producer, into));
    pair.all().addAll(List.of(consumer, producer));
  }
}
