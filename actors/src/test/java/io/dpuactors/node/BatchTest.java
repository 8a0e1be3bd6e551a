package io.dpuactors.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.BatchReply.Busy;
import io.dpuactors.protocol.BatchReply.Ended;
import io.dpuactors.protocol.BatchReply.Refused;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.DeviceTask;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.ManualEngine;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Every batch gets exactly one answer, which says of each task what came of it. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class BatchTest {
  private static final LaneSettings SETTINGS =
      new LaneSettings(8, 16, ManualEngine.SECOND, 4, TimeUnit.MILLISECONDS.toNanos(1));

  private final TestInbox<BatchReply> inbox = TestInbox.create();
  private ManualEngine engine;
  private ContextNode<TaskLane<DeviceTask>> node;

  @BeforeEach
  void inline() {
    FreshSoftDpu.DEVICE.execution(SoftDpu.Execution.INLINE);
    engine = ManualEngine.create(128);
    node = engine.open("compress", SETTINGS);
  }

  @AfterEach
  void close() {
    FreshSoftDpu.DEVICE.clearFaults();
    node.retire();
    engine.settle();
    assertThat(inbox.hasMessages()).isFalse();
    assertThat(engine.pool.available()).isEqualTo(engine.pool.capacity());
    engine.close();
  }

  private static byte[] text(int number) {
    return ("task " + number).repeat(number + 1).getBytes(StandardCharsets.US_ASCII);
  }

  private CompressProtocol.Batch batch(long tag, int count) {
    List<Buffer> sources = new ArrayList<>();
    List<Buffer> destinations = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      sources.add(engine.buffer(text(i)));
      destinations.add(engine.buffer());
    }
    return new CompressProtocol.Batch(
        TaskKind.COMPRESS_DEFLATE, sources, destinations, tag, inbox.getRef());
  }

  private void accept(CompressProtocol.Batch batch) {
    Batch.accept(node.load(), batch);
  }

  /** The only one so far; its buffers go back, as far as they are the receiver's. */
  private BatchReply reply() {
    BatchReply reply = inbox.receiveMessage();
    assertThat(inbox.hasMessages()).isFalse();
    for (int i = 0; i < reply.sources().size(); i++) {
      if (!(reply instanceof Ended ended && ended.outcome().isRetained(i))) {
        reply.sources().get(i).release();
        reply.destinations().get(i).release();
      }
    }
    return reply;
  }

  @Test
  void moreThanTheWindowGoesThroughAndIsAnsweredOnce() {
    engine.settle();
    CompressProtocol.Batch batch = batch(7, 20);
    accept(batch);
    assertThat(node.load().inFlight()).isEqualTo(8);
    assertThat(node.load().waiting()).isEqualTo(12);
    assertThat(inbox.hasMessages()).isFalse();
    engine.settle();
    assertThat(batch.destinations()).allSatisfy(dst -> assertThat(dst.length()).isPositive());
    Ended ended = (Ended) reply();
    assertThat(ended.tag()).isEqualTo(7);
    assertThat(ended.outcome().size()).isEqualTo(20);
    assertThat(ended.outcome().failures()).isZero();
    for (int i = 0; i < 20; i++) {
      CRC32 crc = new CRC32();
      crc.update(text(i));
      assertThat(ended.outcome().crc32(i)).isEqualTo((int) crc.getValue());
      assertThat(ended.outcome().isDone(i)).isTrue();
    }
  }

  @Test
  void itWaitsForAContextThatDoesNotRunYet() {
    accept(batch(1, 3));
    engine.settle();
    assertThat(((Ended) reply()).outcome().failures()).isZero();
  }

  @Test
  void withoutRoomForAllOfItNothingIsStarted() {
    engine.settle();
    CompressProtocol.Batch first = batch(1, 20);
    accept(first);
    accept(batch(2, 5));
    Busy busy = (Busy) reply();
    assertThat(busy.tag()).isEqualTo(2);
    assertThat(busy.queued()).isEqualTo(12);
    accept(batch(3, 25));
    Refused refused = (Refused) reply();
    assertThat(refused.error().code()).isEqualTo(DocaCode.TOO_BIG);
    engine.settle();
    assertThat(reply().tag()).isEqualTo(1);
  }

  @Test
  void whatFailsDoesSoAlone() {
    FreshSoftDpu.DEVICE.faults("compress-deflate:fail=IO_FAILED:nth=2");
    engine.settle();
    CompressProtocol.Batch batch = batch(1, 5);
    batch.sources().get(3).length(0);
    accept(batch);
    engine.settle();
    Ended ended = (Ended) reply();
    assertThat(ended.outcome().failures()).isEqualTo(2);
    assertThat(code(ended, 1)).isEqualTo(DocaCode.IO_FAILED);
    assertThat(code(ended, 3)).isEqualTo(DocaCode.INVALID_VALUE);
    assertThat(ended.outcome().isRetained(1)).isFalse();
    assertThat(ended.outcome().isDone(0)).isTrue();
    assertThat(ended.outcome()).hasToString("3 done, 2 failed: " + ended.outcome().error(1));
  }

  private static DocaCode code(Ended ended, int task) {
    return Objects.requireNonNull(ended.outcome().error(task)).code();
  }

  @Test
  void atItsDeadlineItIsAnsweredAndWhatTheDeviceHasComesBackByItself() {
    FreshSoftDpu.DEVICE.execution(SoftDpu.Execution.THREADS);
    FreshSoftDpu.DEVICE.faults("compress-deflate:delay=50ms");
    engine.settle();
    accept(batch(1, 10));
    engine.turn();
    engine.advance(2 * ManualEngine.SECOND);
    engine.turn();
    Ended ended = (Ended) reply();
    assertThat(ended.outcome().failures()).isEqualTo(10);
    int retained = 0;
    for (int i = 0; i < 10; i++) {
      assertThat(code(ended, i)).isEqualTo(DocaCode.TIME_OUT);
      retained += ended.outcome().isRetained(i) ? 1 : 0;
    }
    assertThat(retained).isEqualTo(8);
    assertThat(engine.pool.available()).isEqualTo(engine.pool.capacity() - 16);
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (node.load().inFlight() > 0 && System.nanoTime() < limit) {
      if (engine.turn() == 0) {
        engine.core.await(1_000_000);
      }
    }
  }

  @Test
  void aContextThatStopsFinishesWhatTheDeviceHasAndTellsOfTheRest() {
    engine.settle();
    accept(batch(1, 12));
    node.retire();
    accept(batch(2, 1));
    engine.settle();
    List<BatchReply> replies = inbox.getAllReceived();
    assertThat(replies).hasSize(2);
    for (BatchReply reply : replies) {
      reply.sources().forEach(Buffer::release);
      reply.destinations().forEach(Buffer::release);
      if (reply instanceof Ended ended) {
        assertThat(ended.outcome().failures()).isEqualTo(4);
        assertThat(code(ended, 11)).isEqualTo(DocaCode.SHUTDOWN);
      } else {
        assertThat(((Refused) reply).error().code()).isEqualTo(DocaCode.SHUTDOWN);
      }
    }
  }

  @Test
  void whatMakesNoSenseIsNoBatch() {
    engine.settle();
    List<Buffer> none = List.of();
    assertThatThrownBy(
            () ->
                new CompressProtocol.Batch(
                    TaskKind.COMPRESS_DEFLATE, none, none, 0, inbox.getRef()))
        .isInstanceOf(IllegalArgumentException.class);
    Buffer one = engine.buffer(text(1));
    List<Buffer> some = List.of(one);
    assertThatThrownBy(
            () ->
                new CompressProtocol.Batch(
                    TaskKind.DECOMPRESS_LZ4_STREAM, some, some, 0, inbox.getRef()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("LZ4_STREAM");
    one.release();
  }
}
