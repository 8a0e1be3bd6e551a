package io.dpuactors.streams;

import static io.dpuactors.streams.StreamRig.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Census.Resource;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.testing.RunningSystem;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.SinkQueueWithCancel;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/** A service of streams, and clients of it, on one engine. */
final class ConnectionRig implements AutoCloseable {
  private static final int CREDIT = 16;

  final RunningSystem system;
  final Transport.Ends ends;
  final ServerBinding<?> binding;
  private final SinkQueueWithCancel<IncomingConnection<?>> incoming;
  private final int leases;
  private final int pools;

  private ConnectionRig(Transport transport, String overrides, int credit) throws Exception {
    system = RunningSystem.create(overrides);
    ends = transport.open(system, credit);
    leases = system.open(Resource.LEASE);
    pools = system.open(Resource.BUFFER_POOL);
    Pair<CompletionStage<ServerBinding<?>>, SinkQueueWithCancel<IncomingConnection<?>>> run =
        ends.bind().toMat(Sink.queue(), Keep.both()).run(actors());
    binding = get(run.first());
    incoming = run.second();
  }

  static ConnectionRig create(Transport transport) throws Exception {
    return create(transport, "", CREDIT);
  }

  /**
   * Starts the service with other settings.
   *
   * @param credit elements that each end may send ahead of the downstream of the other
   */
  static ConnectionRig create(Transport transport, String overrides, int credit) throws Exception {
    return new ConnectionRig(transport, overrides, credit);
  }

  ActorSystem<?> actors() {
    return system.kit.system();
  }

  /** Returns the next client, or nothing if the source of clients has completed. */
  Optional<IncomingConnection<?>> next() throws Exception {
    return get(pull());
  }

  CompletionStage<Optional<IncomingConnection<?>>> pull() {
    return incoming.pull();
  }

  /** Runs the next client with this handler. */
  CompletionStage<StreamStatistics> serve(Flow<ByteString, ByteString, ?> handler)
      throws Exception {
    return next().orElseThrow().handleWith(handler, actors());
  }

  /** Stops to take clients. */
  void cancelIncoming() {
    incoming.cancel();
  }

  /** Connects a client without a stream. */
  ActorRef<?> plain() {
    return plain(system.kit.createTestProbe().getRef());
  }

  /** Connects a client without a stream, and passes its events on. */
  ActorRef<?> plain(ActorRef<Object> events) {
    return ends.plain().apply(events);
  }

  /** Stops a context. */
  CompletionStage<Stopped> stopped(ActorRef<?> context) {
    return AskPattern.<Object, Stopped>ask(
        context.unsafeUpcast(), Stop::new, Duration.ofSeconds(10), actors().scheduler());
  }

  static void stop(ActorRef<?> actor) {
    actor.<Object>unsafeUpcast().tell(new Stop());
  }

  /** The elements that a client receives, and its end. */
  record Running(
      CompletionStage<StreamStatistics> end, CompletionStage<List<ByteString>> elements) {}

  /** Connects a client that sends a source and takes all elements. */
  Running run(Source<ByteString, ?> source) {
    return run(source, ends.client());
  }

  Running run(
      Source<ByteString, ?> source,
      Flow<ByteString, ByteString, CompletionStage<StreamStatistics>> client) {
    Pair<CompletionStage<StreamStatistics>, CompletionStage<List<ByteString>>> run =
        source.viaMat(client, Keep.right()).toMat(Sink.seq(), Keep.both()).run(actors());
    return new Running(run.first(), run.second());
  }

  /** Waits until all connections have ended, and asserts that no stream has memory any more. */
  private void assertReleased() {
    binding.unbind().toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
    system
        .kit
        .createTestProbe()
        .awaitAssert(
            Duration.ofSeconds(20),
            () -> {
              assertThat(system.open(Resource.LEASE)).isEqualTo(leases);
              assertThat(system.open(Resource.BUFFER_POOL)).isEqualTo(pools);
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
