package io.dpuactors.rdma;

import static io.dpuactors.rdma.RdmaBatches.COUNT;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.BatchReply.BatchFailed;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.RdmaClientEvent;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaConnectionProtocol.Batch;
import io.dpuactors.protocol.RdmaConnectionProtocol.Closed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Event;
import io.dpuactors.protocol.RdmaConnectionProtocol.Message;
import io.dpuactors.protocol.Stop;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ComchPair;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests batches of clients whose server takes no messages, or ends the connection. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class RdmaBatchClientTest {
  private static final int WINDOW = 4;

  /** A batch of messages of a client, and the answers. */
  private static final class Sends {
    final ListenerRig rig;
    final BufferPool pool;
    final TaskBatch batch;
    final TestProbe<BatchReply> answers;

    Sends(ListenerRig rig) {
      this.rig = rig;
      pool = ComchPair.pool(rig.system, rig.clients, COUNT, RdmaBatches.BYTES);
      List<Buffer> buffers = new ArrayList<>();
      for (int i = 0; i < COUNT; i++) {
        buffers.add(RunningSystem.buffer(pool, (byte) i));
      }
      batch = TaskBatch.ofSends(buffers);
      answers = rig.system.kit.createTestProbe(BatchReply.class);
    }

    void send(ActorRef<RdmaConnectionProtocol.Command> client, long tag) {
      client.tell(new Batch(TaskKind.RDMA_SEND, batch, tag, answers.getRef()));
    }

    /** Receives the messages of the batch at the server. */
    void expectMessages() {
      for (int i = 0; i < COUNT; i++) {
        Event event = rig.events.receiveMessage();
        assertThat(((Message) event).bytes()).containsExactly(i);
      }
    }

    void release() {
      RdmaBatches.release(batch);
      assertThat(pool.available()).isEqualTo(pool.capacity());
      rig.assertNothingLeft();
    }
  }

  /** Returns a rig whose server has one receive, and a connection with a small window. */
  private static ListenerRig starved(String settings) {
    return ListenerRig.create(
        "dpu.rdma { receives = 1, window = %d, %s }".formatted(WINDOW, settings));
  }

  private static long submitted(ListenerRig rig) {
    TestProbe<EngineProtocol.Status> probe = rig.system.kit.createTestProbe();
    rig.clients.tell(new EngineProtocol.GetStatus(probe.getRef()));
    return Objects.requireNonNull(probe.receiveMessage().counters().get("bridge-submitted"));
  }

  /**
   * Sends the batch while the server has no receive. The device holds the first tasks until the
   * server continues.
   */
  private static void sendToBlocked(Sends sends, ActorRef<RdmaConnectionProtocol.Command> client) {
    ListenerRig rig = sends.rig;
    rig.send(rig.clients, client, "block");
    rig.blockPoint.awaitBlocked();
    rig.replies.receiveMessage();
    long before = submitted(rig);
    sends.send(client, 1);
    rig.events.awaitAssert(
        () -> {
          assertThat(submitted(rig)).isGreaterThan(before);
          return null;
        });
    assertThat(submitted(rig)).isEqualTo(before + WINDOW);
  }

  @Test
  void theDeviceHoldsAWindowOfABatch() {
    try (ListenerRig rig = starved("rnr-retries = 7")) {
      var client = rig.client("client", rig.options());
      rig.accepted();
      Sends sends = new Sends(rig);
      sendToBlocked(sends, client);
      rig.blockPoint.release();
      assertThat(sends.answers.receiveMessage()).isEqualTo(new BatchReply.Ended(1, sends.batch));
      assertThat(sends.batch.results().failures()).isZero();
      assertThat(((Message) rig.events.receiveMessage()).text()).isEqualTo("block");
      sends.expectMessages();
      sends.release();
    }
  }

  @Test
  void theTasksOfABatchFailAtTheDrainDeadline() {
    try (ListenerRig rig = starved("drain-deadline = 50ms")) {
      var client = rig.client("client", rig.options());
      rig.accepted();
      Sends sends = new Sends(rig);
      sendToBlocked(sends, client);
      client.tell(new Stop());
      assertThat(sends.answers.receiveMessage()).isEqualTo(new BatchReply.Ended(1, sends.batch));
      assertThat(sends.batch.results().failures()).isEqualTo(COUNT);
      for (int i = 0; i < COUNT; i++) {
        assertThat(sends.batch.results().error(i))
            .extracting(DocaError::code)
            .isEqualTo(DocaCode.SHUTDOWN);
      }
      rig.endings.await(List.of(client));
      rig.blockPoint.release();
      sends.release();
    }
  }

  /** The new connection has another number in the bridge, which each task of the batch needs. */
  @Test
  void aBatchRunsAgainOnTheNextConnectionOfItsClient() {
    try (ListenerRig rig = ListenerRig.create()) {
      var client = rig.client("client", rig.options().withSupervision(ListenerRig.again(10)));
      Sends sends = new Sends(rig);
      for (int times = 1; times <= 3; times++) {
        var served = rig.accepted();
        rig.life.fishForMessage(
            ListenerRig.SOON, ListenerRig.until(RdmaClientEvent.Connected.class));
        sends.send(client, times);
        assertThat(sends.answers.receiveMessage())
            .isEqualTo(new BatchReply.Ended(times, sends.batch));
        assertThat(sends.batch.results().failures()).isZero();
        sends.expectMessages();
        served.connection().tell(new Stop());
        rig.events.expectMessageClass(Closed.class);
      }
      sends.release();
    }
  }

  /** The connection is lost before the client can connect again: the batch waits, then fails. */
  @Test
  void aBatchWaitsWhileItsClientReconnects() {
    try (ListenerRig rig = ListenerRig.create()) {
      var client = rig.client("client", rig.options().withSupervision(ListenerRig.again(10)));
      var served = rig.accepted();
      Sends sends = new Sends(rig);
      rig.life.expectMessageClass(RdmaClientEvent.Connected.class);
      rig.listener.tell(new Stop());
      rig.endings.await(List.of(served.connection(), rig.listener));
      rig.life.expectMessageClass(RdmaClientEvent.Lost.class);
      sends.send(client, 1);
      BatchFailed failed = (BatchFailed) sends.answers.receiveMessage();
      assertThat(failed.error().code()).isEqualTo(DocaCode.CONNECTION_ABORTED);
      client.tell(new Stop());
      sends.release();
    }
  }
}
