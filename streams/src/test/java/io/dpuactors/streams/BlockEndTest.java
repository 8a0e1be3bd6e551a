package io.dpuactors.streams;

import static io.dpuactors.streams.StreamRig.docaFailure;
import static io.dpuactors.streams.StreamRig.elements;
import static io.dpuactors.streams.StreamRig.failure;
import static io.dpuactors.streams.StreamRig.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionEvent.ConsumerJoined;
import io.dpuactors.protocol.ConnectionEvent.ConsumerLeft;
import io.dpuactors.protocol.ConnectionProtocol.Subscribe;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.Stop;
import io.dpuactors.streams.BlockRig.Receiving;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.KillSwitches;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.RestartSettings;
import org.apache.pekko.stream.UniqueKillSwitch;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.RestartSink;
import org.apache.pekko.stream.javadsl.RestartSource;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.SinkQueueWithCancel;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests each end of the fast path as streams: failures, cancellation and restarts. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class BlockEndTest {
  private static final ByteString ONE = ByteString.fromString("one");
  private static final ByteString TWO = ByteString.fromString("two");

  @Test
  void aFailureOfTheUpstreamFailsTheSourceOfThePeer() throws Exception {
    try (BlockRig rig = BlockRig.create()) {
      Receiving received = rig.receive(rig.consumer());
      CompletionStage<StreamStatistics> sent =
          rig.send(Source.from(elements(9)).concat(Source.failed(new IllegalStateException("no"))));
      assertThat(failure(sent)).hasMessage("no");
      assertThat(docaFailure(received.elements()).error().toString())
          .contains("DOCA_ERROR_IO_FAILED", "IllegalStateException: no");
      assertThat(failure(received.end())).isSameAs(failure(received.elements()));
    }
  }

  /** All blocks of the window wait for buffers of the peer, so the failure waits for the window. */
  @Test
  void aFailureBehindAFullWindowFailsTheSourceOfThePeer() throws Exception {
    try (BlockRig rig = BlockRig.create()) {
      Stalled stalled = Stalled.create(rig);
      stalled.abort.abort(new IllegalStateException("no"));
      assertThat(
              docaFailure(
                      Source.repeat(1)
                          .mapAsync(1, one -> stalled.received.pull())
                          .runWith(Sink.ignore(), rig.actors()))
                  .error()
                  .toString())
          .contains("DOCA_ERROR_IO_FAILED", "IllegalStateException: no");
      assertThat(failure(stalled.sent)).hasMessage("no");
      failure(stalled.end);
    }
  }

  @Test
  void aFailureWaitsForAPeerThatTakesNothingUntilTheDrainDeadline() throws Exception {
    try (BlockRig rig = BlockRig.create("dpu.comch.producer.drain-deadline = 50ms")) {
      Stalled stalled = Stalled.create(rig);
      stalled.abort.abort(new IllegalStateException("no"));
      assertThat(failure(stalled.sent)).hasMessage("no");
      stalled.received.cancel();
      get(stalled.end);
    }
  }

  /** A stream whose window is full, because its peer takes nothing. */
  private record Stalled(
      CompletionStage<StreamStatistics> sent,
      UniqueKillSwitch abort,
      CompletionStage<StreamStatistics> end,
      SinkQueueWithCancel<ByteString> received) {
    static Stalled create(BlockRig rig) {
      Pair<CompletionStage<StreamStatistics>, SinkQueueWithCancel<ByteString>> consumer =
          rig.consumer()
              .toMat(
                  Sink.<ByteString>queue().withAttributes(Attributes.inputBuffer(1, 1)),
                  Keep.both())
              .run(rig.actors());
      AtomicInteger taken = new AtomicInteger();
      Pair<UniqueKillSwitch, CompletionStage<StreamStatistics>> producer =
          Source.repeat(ONE)
              .wireTap(one -> taken.incrementAndGet())
              .viaMat(KillSwitches.single(), Keep.right())
              .toMat(rig.producer(), Keep.both())
              .run(rig.actors());
      TestProbe<Object> pause = rig.system.kit.createTestProbe();
      pause.awaitAssert(() -> assertThat(taken).hasValueGreaterThanOrEqualTo(2 * BlockRig.WINDOW));
      return new Stalled(producer.second(), producer.first(), consumer.first(), consumer.second());
    }
  }

  @Test
  void aCancelledSourceFailsTheSinkAndCancelsItsUpstream() throws Exception {
    try (BlockRig rig = BlockRig.create()) {
      CompletableFuture<Throwable> upstream = new CompletableFuture<>();
      CompletionStage<StreamStatistics> sent =
          rig.send(
              Source.repeat(ONE)
                  .watchTermination(
                      (unused, end) ->
                          end.whenComplete((done, cause) -> upstream.complete(cause))));
      Receiving received = rig.receive(rig.consumer().take(10));
      assertThat(get(received.elements())).hasSize(10);
      assertThat(get(received.end()).elementsOut()).isEqualTo(10);
      docaFailure(sent);
      assertThat(get(upstream)).isSameAs(failure(sent));
    }
  }

  @Test
  void aConnectionThatClosesFailsBothStreams() throws Exception {
    try (BlockRig rig = BlockRig.create()) {
      CompletableFuture<ByteString> first = new CompletableFuture<>();
      CompletionStage<StreamStatistics> received =
          rig.consumer().wireTap(first::complete).to(Sink.ignore()).run(rig.actors());
      CompletionStage<StreamStatistics> sent = rig.send(Source.repeat(ONE));
      assertThat(get(first)).isEqualTo(ONE);
      rig.client.tell(new Stop());
      docaFailure(sent);
      docaFailure(received);
    }
  }

  /** No block is in flight: the block that has arrived shows that the producer is open. */
  @Test
  void anIdleSinkFailsWhenTheConnectionCloses() throws Exception {
    try (BlockRig rig = BlockRig.create()) {
      CompletableFuture<ByteString> first = new CompletableFuture<>();
      CompletionStage<StreamStatistics> received =
          rig.consumer().wireTap(first::complete).to(Sink.ignore()).run(rig.actors());
      CompletionStage<StreamStatistics> sent =
          rig.send(Source.single(ONE).concat(Source.<ByteString>maybe()));
      assertThat(get(first)).isEqualTo(ONE);
      rig.client.tell(new Stop());
      docaFailure(sent);
      docaFailure(received);
    }
  }

  @Test
  void aPeerWithoutAConsumerFailsTheSinkAtTheDeadline() throws Exception {
    try (BlockRig rig = BlockRig.create("dpu.engine.open-deadline = 200ms")) {
      assertThat(docaFailure(rig.send(Source.single(ONE))).error().code())
          .isEqualTo(DocaCode.TIME_OUT);
    }
  }

  @Test
  void memoryThatIsNotAvailableFailsTheStreams() throws Exception {
    try (BlockRig rig = BlockRig.create()) {
      PoolOptions large = PoolOptions.of(1 << 20, 1 << 30);
      docaFailure(rig.receive(Comch.consumer(rig.system.engine, rig.served, large)).elements());
      docaFailure(
          Source.single(ONE)
              .runWith(Comch.producer(rig.system.engine, rig.client, large), rig.actors()));
    }
  }

  @Test
  void aConnectionThatHasEndedFailsTheStreams() throws Exception {
    try (BlockRig rig = BlockRig.create()) {
      TestProbe<Object> end = rig.system.kit.createTestProbe();
      rig.client.tell(new Stop());
      end.expectTerminated(rig.client);
      assertThat(docaFailure(rig.send(Source.single(ONE)))).hasMessageContaining("terminated");
    }
  }

  /** The events of the client show when the second consumer has replaced the first one. */
  @Test
  @ExpectedLog("Restarting")
  void aRestartSourceReceivesFromTheNextProducer() throws Exception {
    try (BlockRig rig = BlockRig.create()) {
      TestProbe<ConnectionEvent> events = rig.system.kit.createTestProbe();
      rig.client.tell(new Subscribe(events.getRef(), 1));
      SinkQueueWithCancel<ByteString> received =
          RestartSource.onFailuresWithBackoff(
                  RestartSettings.create(Duration.ofMillis(1), Duration.ofMillis(10), 0),
                  rig::consumer)
              .runWith(Sink.queue(), rig.actors());
      events.expectMessageClass(ConsumerJoined.class);
      failure(rig.send(Source.failed(new IllegalStateException("no"))));
      CompletionStage<Optional<ByteString>> next = received.pull();
      events.expectMessageClass(ConsumerLeft.class);
      events.expectMessageClass(ConsumerJoined.class);
      get(rig.send(Source.single(TWO)));
      assertThat(get(next)).hasValue(TWO);
      assertThat(get(received.pull())).isEmpty();
      events.expectMessageClass(ConsumerLeft.class);
      rig.awaitReleased();
    }
  }

  /** The first consumer leaves, and the sink continues with the second one. */
  @Test
  @ExpectedLog(value = "Restarting", always = false)
  void aRestartSinkSendsToTheNextConsumer() throws Exception {
    try (BlockRig rig = BlockRig.create()) {
      Receiving first = rig.receive(rig.consumer().take(1));
      UniqueKillSwitch end =
          Source.repeat(ONE)
              .viaMat(KillSwitches.single(), Keep.right())
              .to(
                  RestartSink.withBackoff(
                      RestartSettings.create(Duration.ofMillis(1), Duration.ofMillis(10), 0),
                      rig::producer))
              .run(rig.actors());
      assertThat(get(first.elements())).containsExactly(ONE);
      get(first.end());
      CompletableFuture<ByteString> again = new CompletableFuture<>();
      Receiving second = rig.receive(rig.consumer().wireTap(again::complete));
      assertThat(get(again)).isEqualTo(ONE);
      end.shutdown();
      assertThat(get(second.elements())).isNotEmpty().allMatch(ONE::equals);
      get(second.end());
      rig.awaitReleased();
    }
  }

  /** Each end fails by the end of the materializer, or by the end of its peer. */
  @Test
  void aMaterializerThatEndsReleasesBothEnds() throws Exception {
    try (BlockRig rig = BlockRig.create()) {
      Materializer brief = Materializer.createMaterializer(rig.actors());
      CompletableFuture<ByteString> first = new CompletableFuture<>();
      CompletionStage<StreamStatistics> received =
          rig.consumer().wireTap(first::complete).to(Sink.ignore()).run(brief);
      CompletionStage<StreamStatistics> sent =
          Source.repeat(ONE).toMat(rig.producer(), Keep.right()).run(brief);
      get(first);
      brief.shutdown();
      failure(received);
      failure(sent);
    }
  }
}
