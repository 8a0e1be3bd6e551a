package io.dpuactors.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.RemoteMemory;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaConnectionProtocol.Closed;
import io.dpuactors.protocol.RdmaConnectionProtocol.CompareAndSwap;
import io.dpuactors.protocol.RdmaConnectionProtocol.Completed;
import io.dpuactors.protocol.RdmaConnectionProtocol.ConnectFailed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Failed;
import io.dpuactors.protocol.RdmaConnectionProtocol.FetchAndAdd;
import io.dpuactors.protocol.RdmaConnectionProtocol.Grant;
import io.dpuactors.protocol.RdmaConnectionProtocol.Message;
import io.dpuactors.protocol.RdmaConnectionProtocol.Read;
import io.dpuactors.protocol.RdmaConnectionProtocol.Reply;
import io.dpuactors.protocol.RdmaConnectionProtocol.Send;
import io.dpuactors.protocol.RdmaConnectionProtocol.Write;
import io.dpuactors.protocol.RdmaConnectionProtocol.Written;
import io.dpuactors.protocol.RdmaOptions;
import io.dpuactors.protocol.RdmaProtocol.ExportFailed;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.LateSender;
import io.dpuactors.testing.RunningSystem;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the tasks of RDMA connections and the memory that they access. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class RdmaConnectionTest {
  @Test
  void writesAndReadsReachThePartThatALeaseIsAimedAt() {
    try (RunningSystem system = RunningSystem.create()) {
      RdmaPair pair = RdmaPair.create(system);
      BufferPool memory = pair.shared(Permission.RDMA_READ, Permission.RDMA_WRITE);
      Buffer there = RunningSystem.buffer(memory, new byte[] {9, 9, 9, 9});
      BufferPool remote = pair.imported(pair.share(memory));
      Buffer part = RdmaPair.aimed(remote, 1L + (long) there.index() * RdmaPair.BYTES, 2);
      Buffer local = RunningSystem.buffer(system.pool(1, 64), new byte[] {5, 6});
      pair.near.tell(new Write(local, part, 7, pair.replies.getRef()));
      assertThat(pair.replies.receiveMessage()).isEqualTo(new Completed(7, local, part));
      assertThat(part.length()).isEqualTo(2);
      byte[] seen = new byte[4];
      there.bytes().get(0, seen);
      assertThat(seen).containsExactly(9, 5, 6, 9);
      there.bytes().put(1, (byte) 4);
      pair.near.tell(new Read(part, local, 8, pair.replies.getRef()));
      assertThat(pair.replies.receiveMessage()).isEqualTo(new Completed(8, part, local));
      assertThat(local.length()).isEqualTo(2);
      assertThat(local.bytes().get(0)).isEqualTo((byte) 4);
      release(there, part, local);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @Test
  void messagesAndImmediateDataArriveInTheOrderOfTheirRequests() {
    try (RunningSystem system = RunningSystem.create()) {
      RdmaPair pair = RdmaPair.create(system);
      pair.read(10);
      BufferPool memory = pair.shared(Permission.RDMA_WRITE);
      BufferPool remote = pair.imported(pair.share(memory));
      BufferPool local = system.pool(3, 64);
      Buffer first = RunningSystem.buffer(local, new byte[] {1});
      Buffer second = RunningSystem.buffer(local, new byte[] {2, 3});
      Buffer third = RunningSystem.buffer(local, new byte[] {4, 5, 6});
      Buffer part = RdmaPair.aimed(remote, 0, 3);
      pair.near.tell(new Send(first, 1, pair.replies.getRef()));
      pair.near.tell(new Send(second, OptionalInt.of(-2), 2, pair.replies.getRef()));
      pair.near.tell(new Write(third, part, OptionalInt.of(77), 3, pair.replies.getRef()));
      pair.near.tell(new Send(null, OptionalInt.empty(), 4, pair.replies.getRef()));
      Message plain = (Message) pair.events.receiveMessage();
      assertThat(plain.bytes()).containsExactly(1);
      assertThat(plain.immediate()).isEmpty();
      Message marked = (Message) pair.events.receiveMessage();
      assertThat(marked.bytes()).containsExactly(2, 3);
      assertThat(marked.immediate()).hasValue(-2);
      assertThat(pair.events.receiveMessage()).isEqualTo(new Written(3, 77));
      assertThat(((Message) pair.events.receiveMessage()).bytes()).isEmpty();
      for (long tag = 1; tag <= 4; tag++) {
        Reply reply = pair.replies.receiveMessage();
        assertThat(reply).isInstanceOf(Completed.class);
        assertThat(reply.tag()).isEqualTo(tag);
      }
      release(first, second, third, part);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @Test
  void atomicTasksChangeOneNumberAndReturnTheOldOne() {
    try (RunningSystem system = RunningSystem.create()) {
      RdmaPair pair = RdmaPair.create(system);
      BufferPool memory = pair.shared(Permission.RDMA_ATOMIC);
      Buffer there = RunningSystem.buffer(memory);
      there.bytes().putLong(8, 40);
      BufferPool remote = pair.imported(pair.share(memory));
      Buffer number = RdmaPair.aimed(remote, 8L + (long) there.index() * RdmaPair.BYTES, 8);
      Buffer before = RunningSystem.buffer(system.pool(1, 64));
      pair.near.tell(new FetchAndAdd(number, before, 2, 1, pair.replies.getRef()));
      assertThat(pair.replies.receiveMessage()).isInstanceOf(Completed.class);
      assertThat(before.bytes().getLong(0)).isEqualTo(40);
      assertThat(there.bytes().getLong(8)).isEqualTo(42);
      pair.near.tell(new CompareAndSwap(number, before, 41, 1, 2, pair.replies.getRef()));
      assertThat(pair.replies.receiveMessage()).isInstanceOf(Completed.class);
      assertThat(there.bytes().getLong(8)).isEqualTo(42);
      pair.near.tell(new CompareAndSwap(number, before, 42, -1, 3, pair.replies.getRef()));
      assertThat(pair.replies.receiveMessage()).isInstanceOf(Completed.class);
      assertThat(before.bytes().getLong(0)).isEqualTo(42);
      assertThat(there.bytes().getLong(8)).isEqualTo(-1);
      release(there, number, before);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  /** Requests that the device would answer by ending the connection do not reach it. */
  @Test
  void boundsAndPermissionsAreCheckedBeforeSubmission() {
    try (RunningSystem system = RunningSystem.create()) {
      RdmaPair pair = RdmaPair.create(system);
      BufferPool memory = pair.shared(Permission.RDMA_READ);
      RemoteMemory shared = pair.share(memory);
      assertThat(RemoteMemory.of(shared.bytes())).isEqualTo(shared);
      assertThat(shared.permissions()).isEqualTo(Set.of(Permission.RDMA_READ));
      BufferPool remote = pair.imported(shared);
      Buffer part = RdmaPair.aimed(remote, 0, 8);
      Buffer local = RunningSystem.buffer(system.pool(1, 64), new byte[9]);
      pair.near.tell(new Write(local, part, 1, pair.replies.getRef()));
      assertThat(refused(pair)).contains("RDMA_READ").contains("RDMA_WRITE");
      pair.near.tell(new FetchAndAdd(part, local, 1, 2, pair.replies.getRef()));
      assertThat(refused(pair)).contains("RDMA_ATOMIC");
      pair.near.tell(new Read(local, part, 3, pair.replies.getRef()));
      assertThat(refused(pair)).contains("is memory of the peer, where local");
      pair.near.tell(new Send(part, 4, pair.replies.getRef()));
      assertThat(refused(pair)).contains("is memory of the peer, where local");
      pair.near.tell(new Read(part, local, 5, pair.replies.getRef()));
      assertThat(pair.replies.receiveMessage()).isInstanceOf(Completed.class);
      part.aim(0, 65);
      pair.near.tell(new Read(part, local, 6, pair.replies.getRef()));
      assertThat(refused(pair)).contains("65 bytes do not fit into 64");
      release(part, local);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  /** The device would end the connection for such memory. */
  @Test
  void memoryOfAnotherDeviceIsRefusedAndTheConnectionContinues() {
    try (RunningSystem system = RunningSystem.create()) {
      RdmaPair pair = RdmaPair.create(system);
      pair.read(1);
      BufferPool memory = pair.shared(Permission.RDMA_READ);
      Buffer part = RdmaPair.aimed(pair.imported(pair.share(memory)), 0, 1);
      Buffer foreign = RdmaPair.foreign(system);
      pair.near.tell(new Send(foreign, 1, pair.replies.getRef()));
      assertThat(refused(pair)).contains("another device");
      pair.near.tell(new Read(part, foreign, 2, pair.replies.getRef()));
      assertThat(refused(pair)).contains("another device");
      pair.near.tell(new Send(null, OptionalInt.of(7), 3, pair.replies.getRef()));
      assertThat(((Message) pair.events.receiveMessage()).immediate()).hasValue(7);
      assertThat(pair.replies.receiveMessage()).isInstanceOf(Completed.class);
      release(part, foreign);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  private static String refused(RdmaPair pair) {
    Failed failed = (Failed) pair.replies.receiveMessage();
    assertThat(failed.code()).isEqualTo(DocaCode.INVALID_VALUE);
    assertThat(failed.ownership()).isEqualTo(Ownership.RETURNED);
    return failed.error().toString();
  }

  /** The peer's context grants less than its memory: only the device has this information. */
  @Test
  void aViolationEndsTheConnectionOnBothSidesAndNothingElse() {
    try (RunningSystem system = RunningSystem.create()) {
      RdmaPair pair = RdmaPair.create(system, RdmaOptions.defaults(), RdmaOptions.defaults());
      pair.read(1);
      BufferPool memory = pair.shared(Permission.RDMA_WRITE);
      BufferPool remote = pair.imported(pair.share(memory));
      Buffer part = RdmaPair.aimed(remote, 0, 1);
      Buffer local = RunningSystem.buffer(system.pool(1, 64), new byte[] {1});
      pair.near.tell(new Write(local, part, 1, pair.replies.getRef()));
      Failed failed = (Failed) pair.replies.receiveMessage();
      assertThat(failed.code()).isEqualTo(DocaCode.IO_FAILED);
      Closed closed = (Closed) pair.events.receiveMessage();
      assertThat(closed.error().orElseThrow().code()).isEqualTo(DocaCode.CONNECTION_RESET);
      pair.events.expectTerminated(pair.near);
      pair.events.expectTerminated(pair.far);
      assertThat(pair.export(pair.left, "again"))
          .isInstanceOf(io.dpuactors.protocol.RdmaProtocol.Exported.class);
      release(part, local);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @Test
  void anExportWithAnInvalidNameIsRefusedAndTheConnectionsContinue() {
    try (RunningSystem system = RunningSystem.create()) {
      RdmaPair pair = RdmaPair.create(system, RdmaOptions.defaults(), RdmaOptions.defaults());
      ExportFailed refused = (ExportFailed) pair.export(pair.right, "no/name");
      assertThat(refused.error().code()).isEqualTo(DocaCode.INVALID_VALUE);
      pair.read(1);
      pair.near.tell(new Send(null, OptionalInt.of(7), 1, pair.replies.getRef()));
      assertThat(((Message) pair.events.receiveMessage()).immediate()).hasValue(7);
      assertThat(pair.replies.receiveMessage()).isInstanceOf(Completed.class);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  /**
   * A reader whose credit has ended uses its share up; then its connection ends, and no other one.
   */
  @Test
  void aConnectionBeyondItsShareIsClosedAndTheOthersGoOn() {
    try (RunningSystem system = RunningSystem.create()) {
      RdmaPair pair =
          RdmaPair.create(
              system,
              RdmaOptions.defaults(),
              RdmaOptions.defaults().withReceives(2, 64).withShare(3));
      var fromLeft = pair.exported(pair.left, "second");
      var fromRight = pair.exported(pair.right, "second");
      pair.connect(fromLeft.connection(), fromRight.details());
      pair.connect(fromRight.connection(), fromLeft.details());
      pair.read(1);
      Buffer local = RunningSystem.buffer(system.pool(1, 64), new byte[] {1});
      for (int i = 0; i < 5; i++) {
        pair.near.tell(new Send(local, i, pair.replies.getRef()));
        assertThat(pair.replies.receiveMessage()).isInstanceOf(Completed.class);
      }
      assertThat(pair.events.receiveMessage()).isInstanceOf(Message.class);
      pair.events.expectTerminated(pair.near);
      pair.far.tell(new Grant(3));
      for (int i = 0; i < 3; i++) {
        assertThat(pair.events.receiveMessage()).isInstanceOf(Message.class);
      }
      Closed closed = (Closed) pair.events.receiveMessage();
      assertThat(closed.error().orElseThrow().code()).isEqualTo(DocaCode.FULL);
      fromLeft.connection().tell(new Send(local, 9, pair.replies.getRef()));
      assertThat(pair.replies.receiveMessage()).isInstanceOf(Completed.class);
      release(local);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @Test
  void aStopEndsTheConnectionAndAnswersWhatWaits() {
    try (RunningSystem system = RunningSystem.create()) {
      RdmaPair pair = RdmaPair.create(system);
      pair.read(1);
      var alone = pair.exported(pair.left, "alone");
      Buffer local = RunningSystem.buffer(system.pool(1, 64), new byte[] {1});
      alone.connection().tell(new Send(local, 5, pair.replies.getRef()));
      alone.connection().tell(new Stop());
      Failed failed = (Failed) pair.replies.receiveMessage();
      assertThat(failed.code()).isEqualTo(DocaCode.SHUTDOWN);
      assertThat(failed.ownership()).isEqualTo(Ownership.RETURNED);
      pair.near.tell(new Stop());
      Closed closed = (Closed) pair.events.receiveMessage();
      assertThat(closed.error().orElseThrow().code()).isEqualTo(DocaCode.CONNECTION_RESET);
      release(local);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  /** The device reports a received message after the stop deadline. */
  @Test
  @ExpectedLog("abandoned")
  void theReceivesOfAnAbandonedContextReturnToTheirPool() {
    FreshSoftDpu.DEVICE.faults("rdma-receive:delay=2s");
    try (RunningSystem system = RunningSystem.create("dpu.rdma.stop-deadline = 50ms")) {
      RdmaPair pair = RdmaPair.create(system);
      Buffer local = RunningSystem.buffer(system.pool(1, 64), new byte[] {1});
      pair.near.tell(new Send(local, 1, pair.replies.getRef()));
      assertThat(pair.replies.receiveMessage()).isInstanceOf(Completed.class);
      release(local);
      TestProbe<Stopped> stopped = system.kit.createTestProbe();
      pair.right.tell(new Stop(stopped.getRef()));
      assertThat(stopped.receiveMessage().clean()).isFalse();
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @Test
  void aDamagedDescriptionIsATypedFailureAndAnotherAttemptMayFollow() {
    try (RunningSystem system = RunningSystem.create()) {
      RdmaPair pair = RdmaPair.create(system);
      var alone = pair.exported(pair.left, "alone");
      ConnectFailed failed = (ConnectFailed) pair.connect(alone.connection(), new byte[] {1, 2, 3});
      assertThat(failed.error().code()).isEqualTo(DocaCode.CONNECTION_ABORTED);
      var peer = pair.exported(pair.right, "peer");
      assertThat(pair.connect(alone.connection(), peer.details()))
          .isNotInstanceOf(ConnectFailed.class);
      ConnectFailed again = (ConnectFailed) pair.connect(pair.near, peer.details());
      assertThat(again.error().code()).isEqualTo(DocaCode.BAD_STATE);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  @Test
  void aRequestToAConnectionThatEndsDuringTheSendIsAnswered() {
    try (RunningSystem system = RunningSystem.create("pekko.log-dead-letters = off")) {
      RdmaPair pair = RdmaPair.create(system);
      LateSender<RdmaConnectionProtocol.Command> sender = new LateSender<>(pair.near);
      pair.near.tell(new Stop());
      pair.replies.expectTerminated(pair.near);
      Buffer local = RunningSystem.buffer(system.pool(1, 64), new byte[] {1});
      sender.tell(new Send(local, 7, pair.replies.getRef()));
      Failed failed = (Failed) pair.replies.receiveMessage();
      assertThat(failed.error().code()).isEqualTo(DocaCode.SHUTDOWN);
      release(local);
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }

  private static void release(Buffer... buffers) {
    for (Buffer buffer : buffers) {
      buffer.release();
    }
  }
}
