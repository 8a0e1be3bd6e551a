package io.dpuactors.streams;

import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.ConnectionOptions;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenComchClient;
import io.dpuactors.protocol.ServerOptions;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.stream.BoundedSourceQueue;
import org.apache.pekko.stream.KillSwitch;
import org.apache.pekko.stream.KillSwitches;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/**
 * The communication channel as streams. Both ends of a connection are streams: they exchange
 * elements, grants, the end, the cancellation and the failure of each direction.
 */
public final class Comch {
  /** Number of names of servers and clients so far: names are unique on an engine. */
  private static final AtomicLong NAMES = new AtomicLong();

  private Comch() {}

  /**
   * Opens a server when the source is materialized, and emits each connection. The server stops,
   * and its connections close, when the source is cancelled.
   *
   * @param options options of the server; this method replaces the behavior. Connections beyond
   *     {@code maxConnections} are refused
   * @return the materialized value completes when clients can connect. It fails, as the source
   *     does, with the error of the server
   */
  public static Source<IncomingConnection, CompletionStage<ServerBinding>> bind(
      ActorRef<EngineProtocol.Command> engine, ServerOptions options) {
    return Source.fromMaterializer(
            (materializer, attributes) -> {
              ActorSystem<?> system = Adapter.toTyped(materializer.system());
              int waiting =
                  options
                      .maxConnections()
                      .orElseGet(
                          () ->
                              system
                                  .settings()
                                  .config()
                                  .getInt("dpu.comch.server.max-connections"));
              return Source.<IncomingConnection>queue(waiting)
                  .viaMat(KillSwitches.single(), Keep.both())
                  .watchTermination(
                      (source, end) ->
                          serve(system, engine, options, source.first(), source.second(), end));
            })
        .mapMaterializedValue(stage -> Failures.plain(stage.thenCompose(binding -> binding)));
  }

  private static CompletionStage<ServerBinding> serve(
      ActorSystem<?> system,
      ActorRef<EngineProtocol.Command> engine,
      ServerOptions options,
      BoundedSourceQueue<IncomingConnection> connections,
      KillSwitch source,
      CompletionStage<Done> end) {
    CompletableFuture<ServerBinding> bound = new CompletableFuture<>();
    ServerOptions serving =
        options.withBehavior(Relay.create(options.connections(), connections::offer));
    String name = "stream-server-" + NAMES.incrementAndGet();
    ActorRef<Binding.Command> binding =
        system.systemActorOf(
            Binding.create(engine, name, serving, source, bound), "dpu-" + name, Props.empty());
    end.whenComplete((done, failure) -> binding.tell(Binding.Unbind.INSTANCE));
    return bound;
  }

  /**
   * Connects to a service of {@link #bind} when the flow is materialized. The flow sends the
   * elements from upstream, and emits those of the server. An element has at most the bytes of a
   * message of the connection, less one; {@link ConnectionOptions#withFraming} allows more.
   *
   * <p>The two directions end apart: the upstream may complete while elements of the server arrive,
   * and the downstream may cancel while elements are sent. The connection closes when both
   * directions have ended, and at a failure of either end.
   *
   * @param options options of the client; the behavior and the strategy have no effect. {@link
   *     ConnectionOptions#credit} is the number of elements that the server may send ahead of the
   *     downstream
   * @return the materialized value completes when the connection has closed, and fails with the
   *     failure of the stream
   */
  public static Flow<ByteString, ByteString, CompletionStage<StreamStatistics>> outgoingConnection(
      ActorRef<EngineProtocol.Command> engine, ClientOptions options) {
    return Flow.fromGraph(
        new ConnectionStage(
            options.connection(),
            (attach, system) -> {
              ClientOptions streaming =
                  options
                      .withSupervision(SupervisorStrategy.stop())
                      .withBehavior(
                          Relay.create(options.connection(), one -> one.relay().tell(attach)));
              engine.tell(
                  new OpenComchClient(
                      "stream-client-" + NAMES.incrementAndGet(),
                      streaming,
                      attach.stream().narrow()));
              return null;
            }));
  }
}
