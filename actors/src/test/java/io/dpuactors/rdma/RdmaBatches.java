package io.dpuactors.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaConnectionProtocol.Batch;
import io.dpuactors.protocol.RdmaOptions;
import io.dpuactors.testing.RunningSystem;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;

/** Batches of the near side of a pair, their memory on both sides, and their answers. */
final class RdmaBatches {
  /** Tasks of a batch: more than the window of a connection. */
  static final int COUNT = 40;

  static final int BYTES = 8;
  private static final int MOST = 3;

  final RdmaPair pair;
  final TestProbe<BatchReply> answers;
  final BufferPool local;
  final BufferPool remote;

  /** The memory that the batches read and write, at the peer. */
  final Buffer there;

  RdmaBatches(RunningSystem system) {
    this(system, RdmaOptions.defaults().withPermissions(RdmaPair.ALL));
  }

  RdmaBatches(RunningSystem system, RdmaOptions ofRight) {
    pair = RdmaPair.create(system, RdmaOptions.defaults(), ofRight);
    answers = system.kit.createTestProbe(BatchReply.class);
    local = system.pool(MOST * COUNT, BYTES);
    BufferPool memory = pair.shared(RdmaPair.ALL);
    there = RunningSystem.buffer(memory);
    remote = pair.imported(pair.share(memory), MOST * COUNT);
  }

  /** Returns local buffers; buffer i has the value first + i. */
  List<Buffer> locals(int first, int count) {
    List<Buffer> buffers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Buffer buffer = RunningSystem.buffer(local, new byte[BYTES]);
      buffer.bytes().put(0, (byte) (first + i));
      buffers.add(buffer);
    }
    return buffers;
  }

  /** Returns leases of the peer's memory; lease i is aimed at part i. */
  List<Buffer> remotes(int count) {
    List<Buffer> leases = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long begin = (long) there.index() * RdmaPair.BYTES;
      leases.add(RdmaPair.aimed(remote, begin + (long) i * BYTES, BYTES));
    }
    return leases;
  }

  TaskBatch writes(int first) {
    return TaskBatch.of(locals(first, COUNT), remotes(COUNT));
  }

  /** Returns a batch of this kind. */
  TaskBatch of(TaskKind kind) {
    return switch (kind) {
      case RDMA_WRITE -> writes(1);
      case RDMA_READ -> TaskBatch.of(remotes(COUNT), locals(0, COUNT));
      default -> TaskBatch.ofSends(locals(1, COUNT));
    };
  }

  void send(TaskKind kind, TaskBatch batch, long tag) {
    send(pair.near, kind, batch, tag);
  }

  void send(
      ActorRef<RdmaConnectionProtocol.Command> connection,
      TaskKind kind,
      TaskBatch batch,
      long tag) {
    connection.tell(new Batch(kind, batch, tag, answers.getRef()));
  }

  /** Receives the end of a batch without failures. */
  void expectDone(TaskBatch batch, long tag) {
    assertThat(answers.receiveMessage()).isEqualTo(new BatchReply.Ended(tag, batch));
    assertThat(batch.results().toString()).isEqualTo(COUNT + " done");
  }

  /** Returns the first byte of part i of the peer's memory. */
  byte at(int i) {
    return there.bytes().get(i * BYTES);
  }

  static void release(TaskBatch batch) {
    batch.close();
    batch.sources().forEach(Buffer::release);
    batch.destinations().forEach(Buffer::release);
  }

  /** Stops the engine, and asserts that each buffer has returned and no resource is left. */
  void assertNothingLeft() {
    assertThat(local.available()).isEqualTo(local.capacity());
    assertThat(remote.available()).isEqualTo(remote.capacity());
    there.release();
    assertThat(pair.system.stopEngine().census()).isEqualTo("empty");
  }
}
