package io.dpuactors.streams;

import static io.dpuactors.streams.StreamRig.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.ConnectionOptions;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.testing.RunningSystem;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.SinkQueueWithCancel;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/** A service of streams, and clients of it, on one engine. */
final class ComchRig implements AutoCloseable {
  static final String SERVICE = "streams";

  final RunningSystem system;
  final ServerBinding binding;
  private final ConnectionOptions options;
  private final SinkQueueWithCancel<IncomingConnection> incoming;

  private ComchRig(String overrides, ConnectionOptions options) throws Exception {
    this.options = options;
    system = RunningSystem.create(overrides);
    Pair<CompletionStage<ServerBinding>, SinkQueueWithCancel<IncomingConnection>> run =
        Comch.bind(system.engine, ServerOptions.of(SERVICE).withConnections(options))
            .toMat(Sink.queue(), Keep.both())
            .run(actors());
    binding = get(run.first());
    incoming = run.second();
  }

  static ComchRig create() throws Exception {
    return create("", ConnectionOptions.defaults());
  }

  /** Starts the service with other settings and options of both sides' connections. */
  static ComchRig create(String overrides, ConnectionOptions options) throws Exception {
    return new ComchRig(overrides, options);
  }

  ActorSystem<?> actors() {
    return system.kit.system();
  }

  /** Returns the next client, or nothing if the source of clients has completed. */
  Optional<IncomingConnection> next() throws Exception {
    return get(pull());
  }

  CompletionStage<Optional<IncomingConnection>> pull() {
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

  Flow<ByteString, ByteString, CompletionStage<StreamStatistics>> client() {
    return Comch.outgoingConnection(
        system.engine, ClientOptions.of(SERVICE).withConnection(options));
  }

  /** The elements that a client receives, and its end. */
  record Running(
      CompletionStage<StreamStatistics> end, CompletionStage<List<ByteString>> elements) {}

  /** Connects a client that sends a source and takes all elements. */
  Running run(Source<ByteString, ?> source) {
    return run(source, client());
  }

  Running run(
      Source<ByteString, ?> source,
      Flow<ByteString, ByteString, CompletionStage<StreamStatistics>> client) {
    Pair<CompletionStage<StreamStatistics>, CompletionStage<List<ByteString>>> run =
        source.viaMat(client, Keep.right()).toMat(Sink.seq(), Keep.both()).run(actors());
    return new Running(run.first(), run.second());
  }

  /** Stops the engine and checks that it leaves nothing. */
  @Override
  public void close() {
    try (system) {
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }
}
