package io.dpuactors.comch;

import io.dpuactors.comch.ServerRig.Pair;
import io.dpuactors.protocol.EngineProtocol.OpenComchClient;
import io.dpuactors.protocol.EngineProtocol.OpenComchServer;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.testing.ComchPair;
import io.dpuactors.testing.Ledger.Kind;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Actors that are opened and cannot start in time, because a predecessor or a peer delays them. */
@SuppressWarnings("ImmutableEnumChecker") // Lambdas without state.
enum LateStart {
  SERVER_OPENING(
      "dpu.engine.open-deadline = 500ms",
      rig -> {
        Fixtures.predecessor(rig, "2s");
        rig.clients.tell(
            new OpenComchServer(
                "subject",
                ServerOptions.of("test-other", connection -> Behaviors.ignore()),
                rig.ledger.asks(Kind.OPEN)));
      }),
  CLIENT_OPENING(
      "dpu.engine.open-deadline = 500ms",
      rig -> {
        Fixtures.predecessor(rig, "2s");
        openClient(rig);
      }),
  CLIENT_STARTING(
      "dpu.comch.client.start-deadline = 300ms",
      rig -> {
        Fixtures.block(rig);
        openClient(rig);
      }),
  CLIENT_STARTING_WITHIN_OPEN(
      "dpu.engine.open-deadline = 500ms",
      rig -> {
        Fixtures.block(rig);
        openClient(rig);
      }),
  CONSUMER_STARTING(
      "dpu.comch.consumer.start-deadline = 100ms",
      rig -> {
        Pair pair = rig.pair(false);
        Fixtures.block(rig);
        rig.openConsumer(pair.client(), "in", ComchPair.pool(rig.system, rig.clients, 1, 64));
      });

  final String settings;
  final Consumer<ServerRig> begin;

  LateStart(String settings, Consumer<ServerRig> begin) {
    this.settings = settings;
    this.begin = begin;
  }

  private static void openClient(ServerRig rig) {
    rig.clients.tell(
        new OpenComchClient("subject", ServerRig.client(), rig.ledger.asks(Kind.OPEN)));
  }
}
