package io.dpuactors.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.BatchReply.Ended;
import io.dpuactors.protocol.RdmaConnectionProtocol.Batch;
import io.dpuactors.protocol.RdmaConnectionProtocol.Completed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Event;
import io.dpuactors.protocol.RdmaConnectionProtocol.Send;
import io.dpuactors.protocol.RdmaConnectionProtocol.Subscribe;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.ManualEngine;
import io.dpuactors.testing.RdmaNodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that a batch leaves places of its budget to other requests. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class TaskBudgetTest {
  private static final int PORT = 4791;

  /** Number of messages of a batch: more than the receives of the server and all places. */
  private static final int COUNT = 64;

  private ManualEngine engine;
  private BufferPool pool;

  @BeforeEach
  void open() {
    engine = RdmaNodes.engine();
    Set<Permission> local = Set.of(Permission.LOCAL_READ_WRITE);
    pool = engine.core.pools().open(engine.device(), COUNT, 8, local);
  }

  @AfterEach
  void close() {
    assertThat(pool.available()).isEqualTo(COUNT);
    RdmaNodes.close(engine);
  }

  /** The device holds no task of the batch, so that each place returns at once. */
  @Test
  void aBatchReturnsPlacesToOtherRequestsAndUsesFreeOnes() {
    TaskBatch batch = sends(4);
    assertThat(batch.begin()).isTrue();
    TaskBudget budget = new TaskTable(100).reserve("batches", 4);
    TaskSlot wide = acquired(budget, 4);
    wide.request = new Batch(TaskKind.RDMA_SEND, batch, 1, TestInbox.<BatchReply>create().getRef());
    budget.share(wide);
    TaskSlot first = acquired(budget, 1);
    TaskSlot second = acquired(budget, 1);
    TaskSlot third = acquired(budget, 1);
    assertThat(wide.held).isEqualTo(1);
    assertThat(budget.acquire(1)).as("the last place of the batch").isNull();
    budget.release(first);
    TaskSlot fourth = acquired(budget, 1);
    budget.release(second);
    assertThat(wide.held).as("one place stays free").isEqualTo(1);
    budget.release(third);
    budget.release(fourth);
    assertThat(wide.held).isEqualTo(3);
    budget.release(wide);
    assertThat(acquired(budget, 4).held).isEqualTo(4);
    batch.end();
    release(batch);
  }

  /** The batch has begun with all places. Its tasks wait for the receives of the server. */
  @Test
  void aRequestOfAnotherConnectionPassesABatchOnTheDevice() {
    TestInbox<Event> events = TestInbox.create();
    TestInbox<Object> answers = TestInbox.create();
    RdmaLoad server = RdmaNodes.open(engine, "server").load();
    RdmaLoad clients = RdmaNodes.open(engine, "clients").load();
    engine.settle();
    server.listen(
        PORT,
        accepted -> {
          accepted.own(engine.recorder("accepted"));
          accepted.load().subscribe(new Subscribe(events.getRef(), 2 * COUNT));
        });
    RdmaConnectionNode first = connected(clients, "first");
    RdmaConnectionNode second = connected(clients, "second");

    TaskBatch batch = sends(COUNT);
    first.load().accept(new Batch(TaskKind.RDMA_SEND, batch, 1, answers.getRef().narrow()));
    engine.turn();
    assertThat(batch.results().inFlight()).isEqualTo(clients.tasks);
    second.load().accept(new Send(null, OptionalInt.of(7), 2, answers.getRef().narrow()));
    List<Object> received = new ArrayList<>();
    for (int i = 0; i < 100_000 && received.size() < 2; i++) {
      engine.turn();
      received.addAll(answers.getAllReceived());
    }
    assertThat(received).containsExactly(new Completed(2, null, null), new Ended(1, batch));
    assertThat(batch.results().failures()).isZero();
    engine.settle();
    assertThat(events.getAllReceived()).hasSize(COUNT + 1);
    release(batch);
  }

  private RdmaConnectionNode connected(RdmaLoad clients, String name) {
    RdmaConnectionNode client = clients.connect("127.0.0.1", PORT);
    client.own(engine.recorder(name));
    engine.settle();
    assertThat(engine.events).contains(name + " running");
    return client;
  }

  private TaskBatch sends(int count) {
    return TaskBatch.ofSends(IntStream.range(0, count).mapToObj(i -> message()).toList());
  }

  private Buffer message() {
    Buffer buffer = Objects.requireNonNull(pool.lease());
    buffer.length(1);
    return buffer;
  }

  private static void release(TaskBatch batch) {
    batch.close();
    batch.sources().forEach(Buffer::release);
  }

  private static TaskSlot acquired(TaskBudget budget, int tasks) {
    return Objects.requireNonNull(budget.acquire(tasks));
  }
}
