package io.dpuactors.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Census.Resource;
import io.dpuactors.bridge.Permission;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.GetStatus;
import io.dpuactors.protocol.EngineProtocol.OpenRdma;
import io.dpuactors.protocol.EngineProtocol.Status;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.MemoryProtocol.SharePool;
import io.dpuactors.protocol.MemoryProtocol.ShareReply;
import io.dpuactors.protocol.MemoryProtocol.Shared;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.RdmaClientOptions;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaListenerProtocol;
import io.dpuactors.protocol.RdmaOptions;
import io.dpuactors.protocol.RdmaProtocol;
import io.dpuactors.protocol.RdmaProtocol.OpenRdmaClient;
import io.dpuactors.protocol.RdmaProtocol.OpenRdmaListener;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.service.RdmaMeter.Load;
import io.dpuactors.service.RdmaMeter.Measured;
import io.dpuactors.service.RdmaMeter.MeterFailed;
import io.dpuactors.service.RdmaMeter.MeterOptions;
import io.dpuactors.service.RdmaMeter.Operation;
import io.dpuactors.service.RdmaMeter.Ready;
import io.dpuactors.service.RdmaMeter.Result;
import io.dpuactors.service.RdmaMeter.Run;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.time.Duration;
import java.util.Set;
import java.util.function.BiConsumer;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the client of the RDMA service against the server's end, on two devices. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class RdmaMeterTest {
  private static final String HOST = "127.0.0.1";
  private static final int PORT = 4791;
  private static final int BYTES = 64;
  private static final Permission[] OF_PEERS = {
    Permission.RDMA_READ, Permission.RDMA_WRITE, Permission.RDMA_ATOMIC
  };

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aConnectionLeavesNoMemoryBehind(int batch) {
    assertMemoryReturns(
        batch,
        (ready, results) -> {
          ready.tell(new Run(new Load(Operation.WRITE, BYTES, 8, true), results.getRef()));
          assertThat(results.expectMessageClass(Measured.class).isCorrect()).isTrue();
        });
  }

  /** The device has the tasks when their connection ends. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aConnectionThatEndsDuringARunLeavesNoMemoryBehind(int batch) {
    FreshSoftDpu.DEVICE.faults("rdma-write:delay=20ms");
    assertMemoryReturns(
        batch,
        (ready, results) ->
            ready.tell(new Run(new Load(Operation.WRITE, BYTES, 800, false), results.getRef())));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aFailedTaskEndsTheConnection(int batch) {
    FreshSoftDpu.DEVICE.faults("rdma-write:fail:every=3");
    assertMemoryReturns(
        batch,
        (ready, results) -> {
          ready.tell(new Run(new Load(Operation.WRITE, BYTES, 8, false), results.getRef()));
          assertThat(results.expectMessageClass(MeterFailed.class).why()).contains("IO_FAILED");
        });
  }

  private static void assertMemoryReturns(
      int batch, BiConsumer<ActorRef<RdmaMeter.Command>, TestProbe<Result>> work) {
    try (RunningSystem system = RunningSystem.create()) {
      listen(system);
      ActorRef<EngineProtocol.Command> clients = system.spawnEngine("clients");
      ActorRef<RdmaProtocol.Command> context =
          rdma(system, clients, RdmaOptions.defaults().onDevice(ServiceRig.HOST));
      int before = pools(system, clients);
      TestProbe<Result> results = system.kit.createTestProbe();
      MeterOptions options =
          new MeterOptions(clients, context, ServiceRig.HOST, BYTES, 4, batch, timeNs -> {});
      for (int i = 0; i < 2; i++) {
        connect(system, options, "client-" + i, results, work);
      }
      results.awaitAssert(
          () -> {
            assertThat(pools(system, clients)).isEqualTo(before);
            return null;
          });
      TestProbe<Stopped> stopped = system.kit.createTestProbe();
      clients.tell(new Stop(stopped.getRef()));
      stopped.expectMessage(Stopped.CLEAN);
      assertThat(system.stopEngine()).isEqualTo(Stopped.CLEAN);
    }
  }

  /** Connects, works, and ends the connection. */
  private static void connect(
      RunningSystem system,
      MeterOptions options,
      String name,
      TestProbe<Result> results,
      BiConsumer<ActorRef<RdmaMeter.Command>, TestProbe<Result>> work) {
    TestProbe<RdmaConnectionProtocol.OpenReply> opened = system.kit.createTestProbe();
    options
        .owner()
        .tell(
            new OpenRdmaClient(
                name,
                RdmaClientOptions.of(HOST, PORT)
                    .withBehavior(RdmaMeter.of(options, results.getRef())),
                opened.getRef()));
    ActorRef<RdmaConnectionProtocol.Command> connection =
        ((RdmaConnectionProtocol.Opened) opened.receiveMessage()).context();
    TestProbe<Result> answers = system.kit.createTestProbe();
    work.accept(results.expectMessageClass(Ready.class).meter(), answers);
    connection.tell(new Stop());
    results.expectTerminated(connection);
  }

  /** Serves one connection at a time. */
  private static void listen(RunningSystem system) {
    BufferPool parts =
        pool(
            system,
            Set.of(
                Permission.LOCAL_READ_WRITE,
                Permission.RDMA_READ,
                Permission.RDMA_WRITE,
                Permission.RDMA_ATOMIC));
    TestProbe<ShareReply> shared = system.kit.createTestProbe();
    system.engine.tell(new SharePool(parts, shared.getRef()));
    RdmaStore.Shared store =
        new RdmaStore.Shared(
            parts,
            ((Shared) shared.receiveMessage()).memory(),
            pool(system, Set.of(Permission.LOCAL_READ_WRITE)),
            BYTES);
    ActorRef<RdmaProtocol.Command> context =
        rdma(
            system,
            system.engine,
            RdmaOptions.defaults().onDevice(ServiceRig.DPU).withPermissions(OF_PEERS));
    TestProbe<RdmaListenerProtocol.OpenReply> listening = system.kit.createTestProbe();
    context.tell(
        new OpenRdmaListener(
            "listener", PORT, RdmaStore.of(store, Duration.ofSeconds(30)), listening.getRef()));
    assertThat(listening.receiveMessage()).isInstanceOf(RdmaListenerProtocol.Opened.class);
  }

  private static BufferPool pool(RunningSystem system, Set<Permission> permissions) {
    TestProbe<PoolReply> probe = system.kit.createTestProbe();
    system.engine.tell(
        new OpenPool(
            PoolOptions.of(2, 4096).onDevice(ServiceRig.DPU).withPermissions(permissions),
            probe.getRef()));
    return ((PoolOpened) probe.receiveMessage()).pool();
  }

  private static ActorRef<RdmaProtocol.Command> rdma(
      RunningSystem system, ActorRef<EngineProtocol.Command> engine, RdmaOptions options) {
    TestProbe<RdmaProtocol.OpenReply> probe = system.kit.createTestProbe();
    engine.tell(new OpenRdma("rdma", options, probe.getRef()));
    return ((RdmaProtocol.Opened) probe.receiveMessage()).context();
  }

  private static int pools(RunningSystem system, ActorRef<EngineProtocol.Command> engine) {
    TestProbe<Status> probe = system.kit.createTestProbe();
    engine.tell(new GetStatus(probe.getRef()));
    return probe.receiveMessage().open().getOrDefault(Resource.BUFFER_POOL, 0);
  }
}
