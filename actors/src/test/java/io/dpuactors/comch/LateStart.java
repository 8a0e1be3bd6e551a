package io.dpuactors.comch;

import io.dpuactors.comch.Scene.Pair;
import io.dpuactors.protocol.EngineProtocol.OpenComchClient;
import io.dpuactors.protocol.EngineProtocol.OpenComchServer;
import io.dpuactors.protocol.comch.ServerOptions;
import io.dpuactors.testing.ComchPair;
import io.dpuactors.testing.Ledger.Kind;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Actors that are opened and cannot start in time, because a predecessor or a peer delays them. */
@SuppressWarnings("ImmutableEnumChecker") // Lambdas without state.
enum LateStart {
  SERVER_OPENING(
      "dpu.engine.open-deadline = 500ms",
      scene -> {
        Casting.predecessor(scene, "2s");
        scene.clients.tell(
            new OpenComchServer(
                "subject",
                ServerOptions.of("test-other", connection -> Behaviors.ignore()),
                scene.ledger.asks(Kind.OPEN)));
      }),
  CLIENT_OPENING(
      "dpu.engine.open-deadline = 500ms",
      scene -> {
        Casting.predecessor(scene, "2s");
        openClient(scene);
      }),
  CLIENT_STARTING(
      "dpu.comch.client.start-deadline = 300ms",
      scene -> {
        Casting.block(scene);
        openClient(scene);
      }),
  CLIENT_STARTING_WITHIN_OPEN(
      "dpu.engine.open-deadline = 500ms",
      scene -> {
        Casting.block(scene);
        openClient(scene);
      }),
  CONSUMER_STARTING(
      "dpu.comch.consumer.start-deadline = 100ms",
      scene -> {
        Pair pair = scene.pair(false);
        Casting.block(scene);
        scene.openConsumer(pair.client(), "in", ComchPair.pool(scene.system, scene.clients, 1, 64));
      });

  final String settings;
  final Consumer<Scene> begin;

  LateStart(String settings, Consumer<Scene> begin) {
    this.settings = settings;
    this.begin = begin;
  }

  private static void openClient(Scene scene) {
    scene.clients.tell(
        new OpenComchClient("subject", Scene.client(), scene.ledger.asks(Kind.OPEN)));
  }
}
