package io.dpuactors.comch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.ReceiveBatch;
import io.dpuactors.bridge.SendBatch;
import io.dpuactors.comch.Scene.Pair;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.protocol.comch.ConsumerProtocol;
import io.dpuactors.protocol.comch.ConsumerProtocol.PostBatch;
import io.dpuactors.protocol.comch.ProducerProtocol;
import io.dpuactors.protocol.comch.ProducerProtocol.ProduceBatch;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ComchPair;
import io.dpuactors.testing.FreshSoftDpu;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Many posts, or many sends, in one message. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class DataBatchTest {
  private static final int COUNT = 40;
  private static final int BYTES = 64;

  /** A producer of the server, a consumer of the client, and who hears from them. */
  private static final class Path implements AutoCloseable {
    final Scene scene = Scene.create("");
    final Pair pair = scene.pair(false);
    final BufferPool in = ComchPair.pool(scene.system, scene.clients, 2 * COUNT, BYTES);
    final BufferPool out = ComchPair.pool(scene.system, scene.system.engine, 2 * COUNT, BYTES);
    final ActorRef<ConsumerProtocol.Command> consumer = scene.consumer(pair.client(), "in", in);
    final int id = scene.id(consumer);
    final ActorRef<ProducerProtocol.Command> producer =
        scene.producer(pair.served().connection(), "out");
    final TestProbe<ConsumerProtocol.BatchReply> posts = scene.system.kit.createTestProbe();
    final TestProbe<ProducerProtocol.BatchReply> sends = scene.system.kit.createTestProbe();

    Path() {
      Casting.await("it is known", () -> pair.served().joined().contains(id));
    }

    static List<Buffer> lease(BufferPool pool, int count) {
      List<Buffer> buffers = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        buffers.add(Objects.requireNonNull(pool.lease()));
      }
      return buffers;
    }

    /** Buffer i has i + 1 bytes, of value first + i. */
    SendBatch filled(int first) {
      List<Buffer> buffers = lease(out, COUNT);
      for (int i = 0; i < COUNT; i++) {
        buffers.get(i).bytes().put(0, (byte) (first + i));
        buffers.get(i).length(i + 1);
      }
      return SendBatch.of(buffers, id);
    }

    void post(ReceiveBatch batch, long tag) {
      consumer.tell(new PostBatch(batch, tag, posts.getRef()));
    }

    void send(SendBatch batch, long tag) {
      producer.tell(new ProduceBatch(batch, tag, sends.getRef()));
    }

    static void release(List<Buffer> buffers) {
      buffers.forEach(Buffer::release);
    }

    @Override
    public void close() {
      scene.close();
    }
  }

  /** More than both windows; one batch after the other, and the same ones again. */
  @Test
  void everyBufferArrivesInOrder() throws InterruptedException {
    try (Path path = new Path()) {
      ReceiveBatch into = ReceiveBatch.of(Path.lease(path.in, COUNT));
      SendBatch from = path.filled(1);
      for (int round = 0; round < 3; round++) {
        path.send(from, round);
        path.post(into, round);
        assertThat(path.posts.receiveMessage())
            .isEqualTo(new ConsumerProtocol.BatchEnded(round, into));
        assertThat(path.sends.receiveMessage())
            .isEqualTo(new ProducerProtocol.BatchEnded(round, from));
        assertThat(into.failures() + from.failures()).isZero();
        for (int i = 0; i < COUNT; i++) {
          assertThat(into.buffers().get(i).length()).isEqualTo(i + 1);
          assertThat(into.buffers().get(i).bytes().get(0)).isEqualTo((byte) (i + 1));
          assertThat(into.producer(i)).isPositive();
          assertThat(into.immediate(i)).isEmpty();
          into.buffers().get(i).bytes().put(0, (byte) 0);
        }
      }
      Path.release(into.buffers());
      Path.release(from.buffers());
      path.scene.assertNothingLeft();
    }
  }

  @Test
  void aConsumerThatEndsGivesBackWhatWasNotFilled() throws InterruptedException {
    try (Path path = new Path()) {
      ReceiveBatch into = ReceiveBatch.of(Path.lease(path.in, 2 * COUNT));
      SendBatch from = path.filled(1);
      path.post(into, 7);
      path.send(from, 8);
      assertThat(path.sends.receiveMessage()).isEqualTo(new ProducerProtocol.BatchEnded(8, from));
      path.consumer.tell(ConsumerProtocol.Stop.INSTANCE);
      assertThat(path.posts.receiveMessage()).isEqualTo(new ConsumerProtocol.BatchEnded(7, into));
      assertThat(into.failures()).isEqualTo(COUNT);
      assertThat(into.firstFailure()).isEqualTo(COUNT);
      assertThat(into.error(COUNT - 1)).isNull();
      assertThat(into.error(COUNT)).extracting(DocaError::code).isEqualTo(DocaCode.SHUTDOWN);
      assertThat(into.producer(COUNT)).isZero();
      Path.release(into.buffers());
      Path.release(from.buffers());
      path.scene.assertNothingLeft();
    }
  }

  @Test
  void aProducerThatEndsGivesBackWhatWasNotSent() throws InterruptedException {
    try (Path path = new Path()) {
      ReceiveBatch into = ReceiveBatch.of(Path.lease(path.in, 3));
      SendBatch from = path.filled(1);
      SendBatch behind = path.filled(1);
      path.send(from, 1);
      path.send(behind, 2);
      path.post(into, 3);
      assertThat(path.posts.receiveMessage()).isEqualTo(new ConsumerProtocol.BatchEnded(3, into));
      path.producer.tell(ProducerProtocol.Stop.INSTANCE);
      assertThat(path.sends.receiveSeveralMessages(2))
          .extracting(ProducerProtocol.BatchReply::tag)
          .containsExactlyInAnyOrder(1L, 2L);
      Path.release(into.buffers());
      Path.release(from.buffers());
      Path.release(behind.buffers());
      path.scene.assertNothingLeft();
    }
  }

  @Test
  void whatCannotBePostedOrSentIsReturnedAtOnce() throws InterruptedException {
    try (Path path = new Path()) {
      ReceiveBatch twice = ReceiveBatch.of(Path.lease(path.in, 2));
      path.post(twice, 1);
      path.post(twice, 2);
      expectInvalid((ConsumerProtocol.BatchFailed) path.posts.receiveMessage(), 2);
      ReceiveBatch foreign = ReceiveBatch.of(Path.lease(path.out, 1));
      path.post(foreign, 3);
      expectInvalid((ConsumerProtocol.BatchFailed) path.posts.receiveMessage(), 3);
      SendBatch nowhere = SendBatch.of(foreign.buffers(), path.id + 100);
      path.send(nowhere, 4);
      ProducerProtocol.BatchFailed failed =
          (ProducerProtocol.BatchFailed) path.sends.receiveMessage();
      assertThat(failed.error().code()).isEqualTo(DocaCode.NOT_CONNECTED);
      path.consumer.tell(ConsumerProtocol.Stop.INSTANCE);
      assertThat(path.posts.receiveMessage().tag()).isEqualTo(1);
      Path.release(twice.buffers());
      Path.release(foreign.buffers());
      path.send(nowhere, 5);
      assertThat(((ProducerProtocol.BatchFailed) path.sends.receiveMessage()).error().code())
          .isEqualTo(DocaCode.INVALID_VALUE);
      assertThatThrownBy(() -> ReceiveBatch.of(twice.buffers()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("not leased");
      assertThatThrownBy(() -> SendBatch.of(List.of(), 1))
          .isInstanceOf(IllegalArgumentException.class);
      path.scene.assertNothingLeft();
    }
  }

  private static void expectInvalid(ConsumerProtocol.BatchFailed failed, long tag) {
    assertThat(failed.tag()).isEqualTo(tag);
    assertThat(failed.error().code()).isEqualTo(DocaCode.INVALID_VALUE);
    assertThat(failed.ownership()).isEqualTo(Ownership.RETURNED);
  }
}
