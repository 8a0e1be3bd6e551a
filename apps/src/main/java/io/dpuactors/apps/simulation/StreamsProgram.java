package io.dpuactors.apps.simulation;

import io.dpuactors.protocol.ConnectionOptions;
import io.dpuactors.protocol.MessageFraming;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.protocol.ServerProtocol;
import io.dpuactors.simulation.SimulatedSystem;
import io.dpuactors.streams.Comch;
import io.dpuactors.streams.IncomingConnection;
import io.dpuactors.streams.ServerBinding;
import io.dpuactors.streams.StreamStatistics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.util.ByteString;

/**
 * One run: an echo server on one engine, and up to four graphs on the other engine. Each graph
 * compares its elements with a model. When nothing happens any more, each graph must have ended.
 */
final class StreamsProgram {
  /** Processes that run scenarios at the same time must not meet. */
  static final String SERVICE = "simulated-streams-" + ProcessHandle.current().pid();

  private static final List<String> STATES = List.of("opening", "idle", "busy");
  private static final int MAX_GRAPHS = 4;

  private final SimulatedSystem system;
  private final Devices devices;
  private final Materializer materializer;
  private final ConnectionOptions connections;
  private final List<CompletableFuture<StreamStatistics>> served = new ArrayList<>();
  private final List<StreamGraph> graphs = new ArrayList<>();
  private boolean isCalm = true;

  StreamsProgram(SimulatedSystem system) {
    this.system = system;
    this.devices = Devices.open(system);
    this.connections =
        ConnectionOptions.defaults()
            .withFraming(new MessageFraming(2 * StreamGraph.MAX_BYTES))
            .withCredit(system.oneOf(1, 4, 16))
            .withWindow(system.oneOf(1, 4, 16));
    CompletableFuture<Materializer> created = new CompletableFuture<>();
    system.spawn(
        Behaviors.setup(
            context -> {
              created.complete(Materializer.createMaterializer(Adapter.toClassic(context)));
              return Behaviors.ignore();
            }),
        "streams");
    system.settle();
    this.materializer = created.join();
  }

  void run() {
    isCalm = !system.disturb(STATES, this::state);
    if (!isCalm) {
      // A fault plan may delay a task for longer than dpu.engine waits for the task at its end.
      system.expectLog("ms after doca_ctx_stop: abandoned");
    }
    Pair<CompletionStage<ServerBinding<ServerProtocol.Command>>, CompletableFuture<Done>> server =
        bind();
    int count = system.draw(1, MAX_GRAPHS);
    for (int i = 0; i < count; i++) {
      system.runFor(Duration.ofNanos(system.draw(0, system.oneOf(100_000, 20_000_000))));
      StreamGraph graph = new StreamGraph(system, devices, connections, i, isCalm);
      graphs.add(graph);
      graph.start(materializer);
    }
    system.settle();
    graphs.forEach(StreamGraph::check);
    server.first().thenAccept(ServerBinding::unbind);
    system.settle();
    checkServer(server);
    materializer.shutdown();
    system.settle();
  }

  private String state() {
    if (graphs.isEmpty()) {
      return "opening";
    }
    return graphs.stream().allMatch(StreamGraph::hasEnded) ? "idle" : "busy";
  }

  private Pair<CompletionStage<ServerBinding<ServerProtocol.Command>>, CompletableFuture<Done>>
      bind() {
    var server =
        Comch.bind(devices.dpu(), ServerOptions.of(SERVICE).withConnections(connections))
            .toMat(Sink.foreach(this::serve), Keep.both())
            .run(materializer);
    server.first().thenAccept(binding -> system.target(binding.server()));
    return Pair.create(server.first(), server.second().toCompletableFuture());
  }

  private void serve(IncomingConnection<?> client) {
    if (!isCalm && system.chance(5)) {
      system.reached("connection without a stream");
      return;
    }
    Flow<ByteString, ByteString, ?> echo = Flow.of(ByteString.class);
    if (!isCalm && system.chance(10)) {
      int last = system.draw(0, 20);
      echo = echo.take(last);
    }
    served.add(client.flow().join(echo).run(materializer).toCompletableFuture());
  }

  private void checkServer(
      Pair<CompletionStage<ServerBinding<ServerProtocol.Command>>, CompletableFuture<Done>>
          server) {
    CompletableFuture<ServerBinding<ServerProtocol.Command>> binding =
        server.first().toCompletableFuture();
    check(binding.isDone(), "the server neither opened nor failed");
    check(server.second().isDone(), "the source of connections has no end");
    if (!binding.isCompletedExceptionally()) {
      check(binding.join().whenUnbound().toCompletableFuture().isDone(), "the server is bound");
      check(
          !isCalm || !server.second().isCompletedExceptionally(),
          "the source of connections fails");
    } else {
      check(!isCalm, "no server: " + StreamGraph.failure(binding));
    }
    for (CompletableFuture<StreamStatistics> one : served) {
      check(one.isDone(), "a stream of the server has no end");
    }
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }
}
