package io.dpuactors.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.ConnectionBehavior;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.protocol.ServerProtocol;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.service.CompressService.Limits;
import io.dpuactors.testing.ComchPair;
import io.dpuactors.testing.RunningSystem;
import java.util.Optional;
import java.util.Set;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/** A server's engine and a clients' engine in one process. */
final class ServiceRig implements AutoCloseable {
  static final String HOST = "0000:81:00.0";
  static final String DPU = "0000:03:00.0";

  static final String NAME = "test-service";

  final RunningSystem system;
  final ActorRef<EngineProtocol.Command> clients;
  private final TestProbe<Object> ends;
  private @Nullable ActorRef<ServerProtocol.Command> server;
  private @Nullable ActorRef<Sessions.Command> sessions;
  private int connected;

  ServiceRig() {
    this("");
  }

  /** Creates a rig with configuration overrides. */
  ServiceRig(String overrides) {
    system = RunningSystem.create(overrides);
    clients = system.spawnEngine("clients");
    ends = system.kit.createTestProbe();
  }

  /** Returns a system with a manual clock. Its probes wait as long as those of other tests. */
  static ActorTestKit manualTime() {
    return ActorTestKit.create(
        "manual-time", ManualTime.config().withFallback(ActorTestKit.applicationTestConfig()));
  }

  /** Serves each connection with this behavior. */
  void serve(ConnectionBehavior behavior) {
    server = ComchPair.server(system, ServerOptions.of(NAME, behavior).onDevice(DPU));
  }

  /** Serves each connection with a session. */
  void serveBySessions(ConnectionBehavior behavior) {
    ActorRef<Sessions.Command> spawned = system.kit.spawn(Sessions.create(behavior));
    sessions = spawned;
    serve(Sessions.connections(spawned));
  }

  /** Returns the behavior of compress service connections, with a context on the DPU side. */
  ConnectionBehavior compressSessions(Limits limits) {
    ActorRef<CompressProtocol.Command> compress =
        system.opened(
            "compress", TaskOptions.defaults().onDevice(DPU).withKinds(TaskKind.COMPRESS_DEFLATE));
    return CompressService.create(system.engine, compress, Optional.of(DPU), limits).sessions();
  }

  ActorRef<ConnectionProtocol.Command> connect() {
    return connect(ClientOptions.of(NAME));
  }

  ActorRef<ConnectionProtocol.Command> connect(ConnectionBehavior behavior) {
    return connect(ClientOptions.of(NAME).withBehavior(behavior));
  }

  private ActorRef<ConnectionProtocol.Command> connect(ClientOptions options) {
    return ComchPair.client(system, clients, "client-" + connected++, options.onDevice(HOST));
  }

  BufferPool pool(String device, int count, int bytes, Permission permission) {
    TestProbe<PoolReply> probe = system.kit.createTestProbe();
    system.engine.tell(
        new OpenPool(
            PoolOptions.of(count, bytes).onDevice(device).withPermissions(Set.of(permission)),
            probe.getRef()));
    return ((PoolOpened) probe.receiveMessage()).pool();
  }

  /** Stops the engines in order and asserts that no resource is left. */
  void stop(AutoCloseable... memory) throws Exception {
    if (server != null) {
      server.tell(new Stop());
      ends.expectTerminated(server);
    }
    if (sessions != null) {
      sessions.tell(Sessions.Stop.INSTANCE);
      ends.expectTerminated(sessions);
    }
    for (AutoCloseable each : memory) {
      each.close();
    }
    TestProbe<Stopped> stopped = system.kit.createTestProbe();
    clients.tell(new Stop(stopped.getRef()));
    assertThat(stopped.receiveMessage().census()).as("the clients' engine").isEqualTo("empty");
    assertThat(system.stopEngine().census()).as("the server's engine").isEqualTo("empty");
  }

  @Override
  public void close() {
    system.close();
  }
}
