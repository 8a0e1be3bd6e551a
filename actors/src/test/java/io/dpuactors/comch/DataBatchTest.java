package io.dpuactors.comch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.comch.ServerRig.Pair;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.BatchReply.BatchFailed;
import io.dpuactors.protocol.ConsumerProtocol;
import io.dpuactors.protocol.ConsumerProtocol.PostBatch;
import io.dpuactors.protocol.ProducerProtocol;
import io.dpuactors.protocol.ProducerProtocol.ProduceBatch;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ComchPair;
import io.dpuactors.testing.FreshSoftDpu;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests messages with many posts or many sends. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class DataBatchTest {
  private static final int COUNT = 40;
  private static final int BYTES = 64;

  /** A producer of the server, a consumer of the client, and probes for their answers. */
  private static final class Path implements AutoCloseable {
    final ServerRig rig = ServerRig.create("");
    final Pair pair = rig.pair(false);
    final BufferPool in = ComchPair.pool(rig.system, rig.clients, 2 * COUNT, BYTES);
    final BufferPool out = ComchPair.pool(rig.system, rig.system.engine, 2 * COUNT, BYTES);
    final ActorRef<ConsumerProtocol.Command> consumer = rig.consumer(pair.client(), "in", in);
    final int id = rig.id(consumer);
    final ActorRef<ProducerProtocol.Command> producer =
        rig.producer(pair.served().connection(), "out");
    final TestProbe<BatchReply> posts = rig.system.kit.createTestProbe();
    final TestProbe<BatchReply> sends = rig.system.kit.createTestProbe();

    Path() {
      Fixtures.await("it is known", () -> pair.served().joined().contains(id));
    }

    static List<Buffer> lease(BufferPool pool, int count) {
      List<Buffer> buffers = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        buffers.add(Objects.requireNonNull(pool.lease()));
      }
      return buffers;
    }

    /** Returns a batch whose buffer i has i + 1 bytes of value first + i. */
    TaskBatch filled(int first) {
      List<Buffer> buffers = lease(out, COUNT);
      for (int i = 0; i < COUNT; i++) {
        buffers.get(i).bytes().put(0, (byte) (first + i));
        buffers.get(i).length(i + 1);
      }
      return TaskBatch.ofSends(buffers);
    }

    void post(TaskBatch batch, long tag) {
      consumer.tell(new PostBatch(batch, tag, posts.getRef()));
    }

    void send(TaskBatch batch, long tag) {
      send(batch, id, tag);
    }

    void send(TaskBatch batch, int to, long tag) {
      producer.tell(new ProduceBatch(batch, to, tag, sends.getRef()));
    }

    static void release(TaskBatch batch) {
      batch.close();
      batch.sources().forEach(Buffer::release);
      batch.destinations().forEach(Buffer::release);
    }

    @Override
    public void close() {
      rig.close();
    }
  }

  /** The batches exceed both windows. The batches run one after the other, and run again. */
  @Test
  void everyBufferArrivesInOrder() throws InterruptedException {
    try (Path path = new Path()) {
      TaskBatch into = TaskBatch.ofReceives(Path.lease(path.in, COUNT));
      TaskBatch from = path.filled(1);
      for (int round = 0; round < 3; round++) {
        path.send(from, round);
        path.post(into, round);
        assertThat(path.posts.receiveMessage()).isEqualTo(new BatchReply.Ended(round, into));
        assertThat(path.sends.receiveMessage()).isEqualTo(new BatchReply.Ended(round, from));
        assertThat(into.results().failures() + from.results().failures()).isZero();
        for (int i = 0; i < COUNT; i++) {
          assertThat(into.destinations().get(i).length()).isEqualTo(i + 1);
          assertThat(into.destinations().get(i).bytes().get(0)).isEqualTo((byte) (i + 1));
          assertThat(into.results().producer(i)).isPositive();
          assertThat(into.results().immediate(i)).isEmpty();
          into.destinations().get(i).bytes().put(0, (byte) 0);
        }
      }
      Path.release(into);
      Path.release(from);
      path.rig.assertNothingLeft();
    }
  }

  @Test
  void aStoppingConsumerReturnsUnfilledBuffers() throws InterruptedException {
    try (Path path = new Path()) {
      TaskBatch into = TaskBatch.ofReceives(Path.lease(path.in, 2 * COUNT));
      TaskBatch from = path.filled(1);
      path.post(into, 7);
      path.send(from, 8);
      assertThat(path.sends.receiveMessage()).isEqualTo(new BatchReply.Ended(8, from));
      path.consumer.tell(new Stop());
      assertThat(path.posts.receiveMessage()).isEqualTo(new BatchReply.Ended(7, into));
      assertThat(into.results().failures()).isEqualTo(COUNT);
      assertThat(into.results().firstFailure()).isEqualTo(COUNT);
      assertThat(into.results().error(COUNT - 1)).isNull();
      assertThat(into.results().error(COUNT))
          .extracting(DocaError::code)
          .isEqualTo(DocaCode.SHUTDOWN);
      assertThat(into.results().producer(COUNT)).isZero();
      Path.release(into);
      Path.release(from);
      path.rig.assertNothingLeft();
    }
  }

  @Test
  void aStoppingProducerReturnsUnsentBuffers() throws InterruptedException {
    try (Path path = new Path()) {
      TaskBatch into = TaskBatch.ofReceives(Path.lease(path.in, 3));
      TaskBatch from = path.filled(1);
      TaskBatch behind = path.filled(1);
      path.send(from, 1);
      path.send(behind, 2);
      path.post(into, 3);
      assertThat(path.posts.receiveMessage()).isEqualTo(new BatchReply.Ended(3, into));
      path.producer.tell(new Stop());
      assertThat(path.sends.receiveSeveralMessages(2))
          .extracting(BatchReply::tag)
          .containsExactlyInAnyOrder(1L, 2L);
      Path.release(into);
      Path.release(from);
      Path.release(behind);
      path.rig.assertNothingLeft();
    }
  }

  @Test
  void buffersOfRefusedPostsAndSendsAreReturned() throws InterruptedException {
    try (Path path = new Path()) {
      TaskBatch twice = TaskBatch.ofReceives(Path.lease(path.in, 2));
      path.post(twice, 1);
      path.post(twice, 2);
      expectInvalid((BatchFailed) path.posts.receiveMessage(), 2);
      TaskBatch foreign = TaskBatch.ofReceives(Path.lease(path.out, 1));
      path.post(foreign, 3);
      expectInvalid((BatchFailed) path.posts.receiveMessage(), 3);
      TaskBatch nowhere = TaskBatch.ofSends(foreign.destinations());
      path.send(nowhere, path.id + 100, 4);
      assertThat(refused(path)).isEqualTo(DocaCode.NOT_CONNECTED);
      TaskBatch closed = TaskBatch.ofSends(foreign.destinations());
      closed.close();
      path.send(closed, 5);
      assertThat(refused(path)).isEqualTo(DocaCode.INVALID_VALUE);
      path.send(foreign, 6);
      assertThat(refused(path)).isEqualTo(DocaCode.INVALID_VALUE);
      path.post(nowhere, 7);
      expectInvalid((BatchFailed) path.posts.receiveMessage(), 7);
      path.consumer.tell(new Stop());
      assertThat(path.posts.receiveMessage().tag()).isEqualTo(1);
      nowhere.close();
      Path.release(twice);
      Path.release(foreign);
      path.rig.assertNothingLeft();
    }
  }

  private static DocaCode refused(Path path) {
    return ((BatchFailed) path.sends.receiveMessage()).error().code();
  }

  /**
   * A batch keeps its buffers until it is closed. The holder of the buffers can read and write
   * them.
   */
  @Test
  void aBatchHasItsBuffersUntilItIsClosed() {
    try (Path path = new Path()) {
      List<Buffer> buffers = Path.lease(path.in, 2);
      TaskBatch batch = TaskBatch.ofReceives(buffers);
      assertThatThrownBy(buffers.get(1)::release)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("lent");
      buffers.get(1).bytes().put(0, (byte) 7);
      Path.release(batch);
      assertThat(path.in.available()).isEqualTo(path.in.capacity());
    }
  }

  /** A buffer of two batches is prepared again for each run. */
  @Test
  void aBufferMayBeOfTwoBatches() throws InterruptedException {
    try (Path path = new Path()) {
      TaskBatch one = TaskBatch.ofReceives(Path.lease(path.in, COUNT));
      TaskBatch other = TaskBatch.ofReceives(one.destinations());
      TaskBatch from = path.filled(1);
      for (int round = 0; round < 4; round++) {
        TaskBatch into = round % 2 == 0 ? one : other;
        path.post(into, round);
        path.send(from, round);
        assertThat(path.posts.receiveMessage().batch()).isSameAs(into);
        assertThat(path.sends.receiveMessage().batch()).isSameAs(from);
        for (int i = 0; i < COUNT; i++) {
          assertThat(into.destinations().get(i).length()).isEqualTo(i + 1);
        }
      }
      one.close();
      Path.release(other);
      Path.release(from);
      path.rig.assertNothingLeft();
    }
  }

  @Test
  void aBatchGoesToOneConsumerAfterTheOther() throws InterruptedException {
    try (Path path = new Path()) {
      BufferPool pool = ComchPair.pool(path.rig.system, path.rig.clients, COUNT, BYTES);
      ActorRef<ConsumerProtocol.Command> second =
          path.rig.consumer(path.pair.client(), "second", pool);
      int id = path.rig.id(second);
      Fixtures.await("it is known", () -> path.pair.served().joined().contains(id));
      TaskBatch intoFirst = TaskBatch.ofReceives(Path.lease(path.in, COUNT));
      TaskBatch intoSecond = TaskBatch.ofReceives(Path.lease(pool, COUNT));
      TaskBatch from = path.filled(1);
      for (int round = 0; round < 4; round++) {
        TaskBatch into = round % 2 == 0 ? intoFirst : intoSecond;
        (round % 2 == 0 ? path.consumer : second)
            .tell(new PostBatch(into, round, path.posts.getRef()));
        path.send(from, round % 2 == 0 ? path.id : id, round);
        assertThat(path.posts.receiveMessage()).isEqualTo(new BatchReply.Ended(round, into));
        assertThat(path.sends.receiveMessage().tag()).isEqualTo(round);
        assertThat(into.results().failures()).isZero();
      }
      Path.release(intoFirst);
      Path.release(intoSecond);
      Path.release(from);
      path.rig.assertNothingLeft();
    }
  }

  @Test
  void invalidBatchesAreRefused() {
    try (Path path = new Path()) {
      List<Buffer> one = Path.lease(path.in, 1);
      List<Buffer> other = Path.lease(path.out, 1);
      expectRefused("another pool", () -> TaskBatch.ofReceives(List.of(one.get(0), other.get(0))));
      expectRefused("there already", () -> TaskBatch.ofReceives(List.of(one.get(0), one.get(0))));
      expectRefused("0 tasks", () -> TaskBatch.ofSends(List.of()));
      one.get(0).release();
      assertThatThrownBy(() -> TaskBatch.ofSends(List.of(other.get(0), one.get(0))))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("not leased");
      assertThat(other.get(0).isLent()).isFalse();
      other.get(0).release();
    }
  }

  private static void expectRefused(String why, ThrowingCallable making) {
    assertThatThrownBy(making)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }

  private static void expectInvalid(BatchFailed failed, long tag) {
    assertThat(failed.tag()).isEqualTo(tag);
    assertThat(failed.error().code()).isEqualTo(DocaCode.INVALID_VALUE);
    assertThat(failed.ownership()).isEqualTo(Ownership.RETURNED);
  }
}
