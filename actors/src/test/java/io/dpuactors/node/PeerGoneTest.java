package io.dpuactors.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.internal.Comch;
import io.dpuactors.bridge.internal.ContextState;
import io.dpuactors.bridge.internal.Device;
import io.dpuactors.bridge.internal.MessageLimits;
import io.dpuactors.bridge.internal.Representor;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.ConnectionProtocol.SendFailed;
import io.dpuactors.protocol.ConnectionProtocol.SendReply;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.ManualEngine;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests producers and consumers that are opened while their peer disconnects, and messages of a
 * server that has stopped. The library has noticed the end, and its record has not arrived.
 */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class PeerGoneTest {
  private static final String SERVICE = "test-peer-gone";
  private static final MessageLimits LIMITS = new MessageLimits(4080, 16);
  private static final ContextTimes TIMES =
      new ContextTimes(ManualEngine.SECOND, ManualEngine.SECOND, ManualEngine.SECOND);
  private static final LaneSettings LANE = new LaneSettings(8, 16, ManualEngine.SECOND);
  private static final LinkSettings LINK = new LinkSettings(LANE, 16, Optional.empty(), TIMES);

  private ManualEngine dpu;
  private ManualEngine host;
  private ContextNode<ServerLoad> server;
  private ContextNode<ClientLoad> client;
  private @Nullable ConnectionNode accepted;

  @BeforeEach
  void connect() {
    dpu = ManualEngine.create(1);
    host = ManualEngine.create(1);
    ServerLoad connections =
        new ServerLoad(dpu.core, "server", LINK, 1, LANE.window(), fresh -> accepted = fresh);
    server =
        dpu.core.openContext(
            "server", connections, TIMES, PeerGoneTest::serve, dpu.recorder("server"), 0);
    until(() -> dpu.events.contains("server running"));
    ClientLoad connection = new ClientLoad(host.core, "client", LINK);
    client =
        host.core.openContext(
            "client", connection, TIMES, PeerGoneTest::connect, host.recorder("client"), 0);
    until(() -> host.events.contains("client running") && accepted != null);
    dpu.events.clear();
    host.events.clear();
  }

  private static ContextOpener.Opened serve(EngineCore core, long userData) {
    Device device =
        core.devices().open(Optional.empty(), one -> one.comchCapabilities().server(), "serve");
    Representor representor = Representor.open(device, "");
    return ContextOpener.Opened.forTasks(
        Comch.server(core.progressEngine(), device, representor, SERVICE, LIMITS, userData),
        TaskKind.COMCH_SERVER_SEND,
        LANE.window(),
        representor::close);
  }

  private static ContextOpener.Opened connect(EngineCore core, long userData) {
    return ContextOpener.Opened.forTasks(
        Comch.client(core.progressEngine(), clientDevice(core), SERVICE, LIMITS, userData),
        TaskKind.COMCH_CLIENT_SEND,
        LANE.window(),
        () -> {});
  }

  private static Device clientDevice(EngineCore core) {
    return core.devices().open(Optional.empty(), one -> one.comchCapabilities().client(), "ask");
  }

  @AfterEach
  void close() {
    client.stop();
    server.stop();
    until(() -> client.isGone() && server.isGone());
    host.close();
    dpu.close();
  }

  /** Turns both engines until the condition holds. */
  private void until(BooleanSupplier condition) {
    await(
        () -> {
          dpu.turn();
          host.turn();
          return condition.getAsBoolean();
        });
  }

  private static void await(BooleanSupplier condition) {
    long deadlineNs = System.nanoTime() + 20 * ManualEngine.SECOND;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("in time").isLessThan(deadlineNs);
    }
  }

  @Test
  void aProducerIsRefusedBecauseOfTheEnd() {
    Objects.requireNonNull(client.context()).stop();
    Link link = Objects.requireNonNull(accepted).link();
    await(() -> !canCreateProducer(link));
    ContextNode<?> producer =
        DataNodes.openProducer(dpu.core, link, "out", LANE, TIMES, dpu.recorder("out"));
    producer.turn(dpu.core.nowNs(), new NextTurn());
    assertThat(dpu.events).containsExactly("out failed NOT_CONNECTED", "out gone");
  }

  private boolean canCreateProducer(Link link) {
    try {
      Comch.producer(dpu.core.progressEngine(), link.handle(), 0).destroy();
      return true;
    } catch (DocaException e) {
      return false;
    }
  }

  /**
   * The peer has not confirmed the consumer. The consumer's device reports the end before the
   * connection's device does.
   */
  @Test
  void aConsumerThatWaitsForItsPeerFailsBecauseOfTheEnd() {
    BufferPool pool =
        host.core.pools().open(clientDevice(host.core), 1, 64, Set.of(Permission.PCI_READ_WRITE));
    DataNodes.openConsumer(host.core, client.load(), "in", pool, LANE, TIMES, host.recorder("in"));
    host.turn();
    assertThat(Comch.disconnect(Objects.requireNonNull(server.context()), handleOfServer()))
        .isEqualTo(DocaCode.SUCCESS);
    await(
        () -> {
          host.turn();
          return !host.events.isEmpty();
        });
    assertThat(host.events.get(0)).isEqualTo("in failed CONNECTION_ABORTED");
  }

  /** The events of the stop and of its end are lost. */
  @Test
  void aRefusedMessageShowsThatTheServerHasStopped() {
    FreshSoftDpu.DEVICE.faults("comch-send:lost:nth=1 ; ctx-event:lost:first=2");
    TestInbox<SendReply> replies = TestInbox.create();
    Link link = Objects.requireNonNull(accepted).link();
    link.send(new Send(new byte[] {1}, 1, Optional.of(replies.getRef())));
    until(replies::hasMessages);
    assertThat(replies.receiveMessage()).isInstanceOf(SendFailed.class);
    until(() -> Objects.requireNonNull(server.context()).state() != ContextState.RUNNING);
    assertThat(dpu.events).isEmpty();

    link.send(new Send(new byte[] {2}, 2, Optional.of(replies.getRef())));
    until(server::isGone);
    assertThat(replies.receiveMessage()).isInstanceOf(SendFailed.class);
    assertThat(dpu.events).containsExactly("server failed UNEXPECTED", "server gone");
  }

  private int handleOfServer() {
    return Objects.requireNonNull(accepted).link().handle();
  }
}
