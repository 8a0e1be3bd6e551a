package io.dpuactors.streams;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Census;
import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.testing.ComchPair;
import io.dpuactors.testing.RunningSystem;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/** A connection on one engine, and streams over its fast path: from the client to the server. */
final class BlockRig implements AutoCloseable {
  static final int WINDOW = 4;

  final RunningSystem system;
  final ActorRef<ConnectionProtocol.Command> client;
  final ActorRef<ConnectionProtocol.Command> served;

  private BlockRig(String overrides) {
    system = RunningSystem.create(overrides);
    TestProbe<ActorRef<ConnectionProtocol.Command>> opened = system.kit.createTestProbe();
    ComchPair.server(
        system,
        ServerOptions.of(
            "blocks",
            connection -> {
              opened.getRef().tell(connection);
              return Behaviors.empty();
            }));
    client = ComchPair.client(system, system.engine, "client", ClientOptions.of("blocks"));
    served = opened.receiveMessage();
  }

  static BlockRig create() {
    return create("");
  }

  static BlockRig create(String overrides) {
    return new BlockRig(overrides);
  }

  ActorSystem<?> actors() {
    return system.kit.system();
  }

  static PoolOptions blocks() {
    return PoolOptions.of(WINDOW, StreamRig.BYTES);
  }

  Sink<ByteString, CompletionStage<StreamStatistics>> producer() {
    return Comch.producer(system.engine, client, blocks());
  }

  Source<ByteString, CompletionStage<StreamStatistics>> consumer() {
    return Comch.consumer(system.engine, served, blocks());
  }

  /** The elements that a consumer receives, and its end. */
  record Receiving(
      CompletionStage<StreamStatistics> end, CompletionStage<List<ByteString>> elements) {}

  Receiving receive(Source<ByteString, CompletionStage<StreamStatistics>> source) {
    Pair<CompletionStage<StreamStatistics>, CompletionStage<List<ByteString>>> run =
        source.toMat(Sink.seq(), Keep.both()).run(actors());
    return new Receiving(run.first(), run.second());
  }

  CompletionStage<StreamStatistics> send(Source<ByteString, ?> elements) {
    return elements.toMat(producer(), Keep.right()).run(actors());
  }

  /** Asserts that no stream has memory of the engine any more. */
  void assertReleased() {
    assertThat(system.open(Census.Resource.LEASE)).isZero();
    assertThat(system.open(Census.Resource.BUFFER_POOL)).isZero();
  }

  /** Waits until {@link #assertReleased} passes. */
  void awaitReleased() {
    system
        .kit
        .createTestProbe()
        .awaitAssert(
            () -> {
              assertReleased();
              return null;
            });
  }

  /** Stops the engine and checks that it leaves nothing. */
  @Override
  public void close() {
    try (system) {
      assertReleased();
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }
}
