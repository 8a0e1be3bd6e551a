package io.dpuactors.streams;

import static io.dpuactors.streams.StreamRig.docaFailure;
import static io.dpuactors.streams.StreamRig.elements;
import static io.dpuactors.streams.StreamRig.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.protocol.ConnectionProtocol.AwaitConsumer;
import io.dpuactors.protocol.ConnectionProtocol.AwaitReply;
import io.dpuactors.protocol.ConnectionProtocol.ConnectionInfo;
import io.dpuactors.protocol.ConnectionProtocol.ConsumerThere;
import io.dpuactors.protocol.ConnectionProtocol.GetInfo;
import io.dpuactors.protocol.ConnectionProtocol.OpenProducer;
import io.dpuactors.protocol.DataOptions;
import io.dpuactors.protocol.MemoryProtocol.ClosePool;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolClosed;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.ProducerProtocol;
import io.dpuactors.protocol.ProducerProtocol.Produce;
import io.dpuactors.protocol.ProducerProtocol.Produced;
import io.dpuactors.protocol.ProducerProtocol.ProducerReply;
import io.dpuactors.streams.BlockRig.Receiving;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.ActorAttributes;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.Supervision;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.SinkQueueWithCancel;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the elements of the fast path as streams: order, sizes and backpressure. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class BlockElementsTest {
  private static final ByteString ONE = ByteString.fromString("one");
  private static final ByteString TWO = ByteString.fromString("two");

  /**
   * A ring for two tasks refuses blocks of the window. They wait, although the program permits no
   * queue.
   */
  @Test
  void blocksPassInOrderThroughASmallRing() throws Exception {
    String settings =
        """
        dpu.engine.submission-ring = 2
        dpu.comch { producer.queue = 0, consumer.queue = 0 }
        """;
    try (BlockRig rig = BlockRig.create(settings)) {
      List<ByteString> elements = elements(200);
      CompletionStage<StreamStatistics> sent = rig.send(Source.from(elements));
      Receiving received = rig.receive(rig.consumer());
      assertThat(get(received.elements())).isEqualTo(elements);
      assertThat(get(received.end()).elementsOut()).isEqualTo(200);
      assertThat(get(sent).elementsOut()).isEqualTo(200);
    }
  }

  @Test
  void blocksPassInOrder() throws Exception {
    try (BlockRig rig = BlockRig.create()) {
      List<ByteString> elements = elements(200);
      long bytes = elements.stream().mapToLong(ByteString::size).sum();
      CompletionStage<StreamStatistics> sent = rig.send(Source.from(elements));
      Receiving received = rig.receive(rig.consumer());
      assertThat(get(received.elements())).isEqualTo(elements);
      assertThat(get(received.end())).isEqualTo(new StreamStatistics(0, 0, 200, bytes, 0));
      assertThat(get(sent)).isEqualTo(new StreamStatistics(200, bytes, 200, bytes, 0));
    }
  }

  @Test
  void oneConnectionCarriesOneStreamAfterTheOther() throws Exception {
    try (BlockRig rig = BlockRig.create()) {
      for (int i = 0; i < 3; i++) {
        Receiving received = rig.receive(rig.consumer());
        CompletionStage<StreamStatistics> sent = rig.send(Source.from(elements(i)));
        assertThat(get(received.elements())).isEqualTo(elements(i));
        get(sent);
        get(received.end());
      }
    }
  }

  /** The source posts its buffers ahead, and the sink sends as many. Nothing more is taken. */
  @Test
  void aDownstreamThatTakesNothingStopsTheUpstream() throws Exception {
    try (BlockRig rig = BlockRig.create()) {
      AtomicInteger taken = new AtomicInteger();
      Pair<CompletionStage<StreamStatistics>, SinkQueueWithCancel<ByteString>> received =
          rig.consumer()
              .toMat(
                  Sink.<ByteString>queue().withAttributes(Attributes.inputBuffer(1, 1)),
                  Keep.both())
              .run(rig.actors());
      CompletionStage<StreamStatistics> sent =
          rig.send(
              Source.from(elements(100))
                  .map(
                      element -> {
                        taken.incrementAndGet();
                        return element;
                      }));
      TestProbe<Object> pause = rig.system.kit.createTestProbe();
      pause.awaitAssert(() -> assertThat(taken).hasValueGreaterThanOrEqualTo(2 * BlockRig.WINDOW));
      pause.expectNoMessage(Duration.ofMillis(100));
      assertThat(taken).hasValueLessThanOrEqualTo(2 * BlockRig.WINDOW + 2);
      for (ByteString element : elements(100)) {
        assertThat(get(received.second().pull())).hasValue(element);
      }
      assertThat(get(received.second().pull())).isEmpty();
      assertThat(get(sent).elementsOut()).isEqualTo(100);
      get(received.first());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, StreamRig.BYTES + 1})
  void anElementOutsideTheLimitsFailsTheStreams(int bytes) throws Exception {
    try (BlockRig rig = BlockRig.create()) {
      Receiving received = rig.receive(rig.consumer());
      CompletionStage<StreamStatistics> sent =
          rig.send(Source.single(ByteString.fromArray(new byte[bytes])));
      assertThat(docaFailure(sent).error().code()).isEqualTo(DocaCode.INVALID_VALUE);
      assertThat(docaFailure(received.elements())).hasMessageContaining("the element has " + bytes);
      docaFailure(received.end());
    }
  }

  /** The peer would take the stream without the element for the whole one. */
  @Test
  void aSupervisionStrategyDropsNoElementOfAProducer() throws Exception {
    try (BlockRig rig = BlockRig.create()) {
      Receiving received = rig.receive(rig.consumer());
      CompletionStage<StreamStatistics> sent =
          Source.from(List.of(ONE, ByteString.emptyByteString(), TWO))
              .toMat(
                  rig.producer()
                      .withAttributes(
                          ActorAttributes.withSupervisionStrategy(
                              Supervision.getResumingDecider())),
                  Keep.right())
              .run(rig.actors());
      assertThat(docaFailure(sent).error().code()).isEqualTo(DocaCode.INVALID_VALUE);
      docaFailure(received.elements());
      docaFailure(received.end());
    }
  }

  /** A program without this library sends blocks; it ends the stream by one byte. */
  @ParameterizedTest
  @ValueSource(bytes = {BlockPath.END, 5})
  void aPlainProducerSendsTheBlocks(byte mark) throws Exception {
    try (BlockRig rig = BlockRig.create()) {
      Receiving received = rig.receive(rig.consumer());
      Plain plain = new Plain(rig);
      plain.send(rig, ONE);
      plain.end(mark);
      if (mark == BlockPath.END) {
        assertThat(get(received.elements())).containsExactly(ONE);
        get(received.end());
      } else {
        assertThat(docaFailure(received.elements()).error().code()).isEqualTo(DocaCode.BAD_STATE);
        docaFailure(received.end());
      }
    }
  }

  @Test
  void aSecondProducerFailsTheSource() throws Exception {
    try (BlockRig rig = BlockRig.create()) {
      Receiving received = rig.receive(rig.consumer());
      Plain one = new Plain(rig);
      one.send(rig, ONE);
      Plain two = new Plain(rig);
      two.send(rig, TWO);
      assertThat(docaFailure(received.elements()).error().code()).isEqualTo(DocaCode.IN_USE);
      docaFailure(received.end());
    }
  }

  /** A producer of the client without a stream. */
  private static final class Plain {
    private final TestProbe<ProducerReply> replies;
    private final ActorRef<ProducerProtocol.Command> producer;
    private final int consumer;

    Plain(BlockRig rig) {
      replies = rig.system.kit.createTestProbe();
      TestProbe<ProducerProtocol.OpenReply> opened = rig.system.kit.createTestProbe();
      rig.client.tell(
          new OpenProducer("plain-" + hashCode(), DataOptions.defaults(), opened.getRef()));
      producer = ((ProducerProtocol.Opened) opened.receiveMessage()).context();
      TestProbe<AwaitReply> found = rig.system.kit.createTestProbe();
      rig.client.tell(new AwaitConsumer(Duration.ofSeconds(10), found.getRef()));
      consumer = ((ConsumerThere) found.receiveMessage()).consumer();
    }

    /** Sends a block, from a pool on the client's device. */
    void send(BlockRig rig, ByteString block) {
      TestProbe<ConnectionInfo> info = rig.system.kit.createTestProbe();
      rig.client.tell(new GetInfo(info.getRef()));
      TestProbe<PoolReply> opened = rig.system.kit.createTestProbe();
      rig.system.engine.tell(
          new OpenPool(
              PoolOptions.of(1, 64).onDevice(info.receiveMessage().device()), opened.getRef()));
      BufferPool pool = ((PoolOpened) opened.receiveMessage()).pool();
      Buffer buffer = RunningSystem.buffer(pool, block.toArray());
      producer.tell(new Produce(buffer, consumer, 1, replies.getRef()));
      replies.expectMessageClass(Produced.class);
      buffer.release();
      TestProbe<PoolClosed> closed = rig.system.kit.createTestProbe();
      rig.system.engine.tell(new ClosePool(pool, closed.getRef()));
      assertThat(closed.receiveMessage().failure()).isEmpty();
    }

    void end(byte mark) {
      producer.tell(new Produce(null, new byte[] {mark}, consumer, 2, replies.getRef()));
      replies.expectMessageClass(Produced.class);
    }
  }
}
