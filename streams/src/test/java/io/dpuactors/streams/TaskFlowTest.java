package io.dpuactors.streams;

import static io.dpuactors.streams.StreamRig.BYTES;
import static io.dpuactors.streams.StreamRig.docaFailure;
import static io.dpuactors.streams.StreamRig.elements;
import static io.dpuactors.streams.StreamRig.failure;
import static io.dpuactors.streams.StreamRig.get;
import static io.dpuactors.streams.StreamRig.options;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.engine.EngineGroup;
import io.dpuactors.engine.GroupOptions;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenCompress;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.streams.StreamRig.Result;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.AbruptStageTerminationException;
import org.apache.pekko.stream.ActorAttributes;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.RestartSettings;
import org.apache.pekko.stream.Supervision;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.RestartFlow;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.SinkQueueWithCancel;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests what all flows of tasks have in common: order, backpressure, statistics and ends. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class TaskFlowTest {
  private static final int PARALLELISM = 4;

  @Test
  void resultsKeepTheOrderAlthoughTasksDoNot() throws Exception {
    FreshSoftDpu.DEVICE.faults("compress-deflate:delay=20ms:nth=1");
    try (StreamRig rig = StreamRig.create()) {
      List<ByteString> results = rig.run(elements(8), deflate(rig, options())).elements();
      assertThat(results.stream().map(KindsTest::inflated).toList()).isEqualTo(elements(8));
    }
  }

  @Test
  void unorderedResultsAreEmittedAsSoonAsTheyExist() throws Exception {
    FreshSoftDpu.DEVICE.faults("compress-deflate:delay=200ms:nth=1");
    try (StreamRig rig = StreamRig.create()) {
      List<ByteString> results =
          rig.run(elements(8), deflate(rig, options().unordered())).elements().stream()
              .map(KindsTest::inflated)
              .toList();
      assertThat(results).containsExactlyInAnyOrderElementsOf(elements(8));
      assertThat(results.get(0)).isNotEqualTo(elements(8).get(0));
    }
  }

  @Test
  void theStatisticsCountElementsAndBytes() throws Exception {
    try (StreamRig rig = StreamRig.create()) {
      Result result = rig.run(elements(10), deflate(rig, options()));
      assertThat(result.statistics())
          .isEqualTo(
              new StreamStatistics(10, bytes(elements(10)), 10, bytes(result.elements()), 0));
    }
  }

  private static long bytes(List<ByteString> elements) {
    return elements.stream().mapToLong(ByteString::size).sum();
  }

  @Test
  void elementsThatTheContextRefusesWithBusyAreSentAgain() throws Exception {
    FreshSoftDpu.DEVICE.faults("compress-deflate:delay=2ms");
    try (StreamRig rig = StreamRig.create()) {
      ActorRef<CompressProtocol.Command> narrow =
          rig.compress(TaskOptions.defaults().withWindow(1).withQueue(1));
      Result result =
          rig.run(
              elements(20),
              Deflate.flow(
                  rig.system.engine,
                  narrow,
                  options()
                      .withParallelism(8)
                      .withBusyRetry(Duration.ofMillis(1), Duration.ofMillis(4))));
      assertThat(result.elements().stream().map(KindsTest::inflated).toList())
          .isEqualTo(elements(20));
      assertThat(result.statistics().busyRetries()).isPositive();
    }
  }

  @Test
  void aSlowDownstreamBoundsTheElementsInFlight() throws Exception {
    try (StreamRig rig = StreamRig.create()) {
      AtomicInteger pulled = new AtomicInteger();
      Pair<CompletionStage<StreamStatistics>, SinkQueueWithCancel<ByteString>> run =
          endless()
              .map(
                  element -> {
                    pulled.incrementAndGet();
                    return element;
                  })
              .viaMat(deflate(rig, options()), Keep.right())
              .toMat(
                  Sink.<ByteString>queue(1).withAttributes(Attributes.inputBuffer(1, 1)),
                  Keep.both())
              .run(rig.system.kit.system());
      for (int taken = 0; taken < 50; taken++) {
        assertThat(pulled.get()).isLessThanOrEqualTo(taken + PARALLELISM + 2);
        assertThat(get(run.second().pull())).isPresent();
      }
      run.second().cancel();
      assertThat(get(run.first()).elementsOut()).isLessThanOrEqualTo(52);
    }
  }

  @Test
  void aStreamMayBeCancelledAtAnyElement() throws Exception {
    FreshSoftDpu.DEVICE.faults("compress-deflate:delay=1ms");
    try (StreamRig rig = StreamRig.create()) {
      Flow<ByteString, ByteString, CompletionStage<StreamStatistics>> flow =
          deflate(rig, options());
      for (int taken = 0; taken <= 2 * PARALLELISM; taken++) {
        StreamStatistics statistics =
            get(
                endless()
                    .viaMat(flow, Keep.right())
                    .take(taken)
                    .to(Sink.ignore())
                    .run(rig.system.kit.system()));
        assertThat(statistics.elementsOut()).isEqualTo(taken);
        rig.assertReleased();
      }
    }
  }

  @Test
  void anEmptyStreamOpensAndClosesItsMemory() throws Exception {
    try (StreamRig rig = StreamRig.create()) {
      Result result = rig.run(List.of(), deflate(rig, options()));
      assertThat(result.statistics()).isEqualTo(new StreamStatistics(0, 0, 0, 0, 0));
    }
  }

  @Test
  void aFailureOfTheUpstreamReleasesEverything() throws Exception {
    try (StreamRig rig = StreamRig.create()) {
      IllegalStateException failure = new IllegalStateException("upstream");
      Source<ByteString, ?> failing = Source.from(elements(7)).concat(Source.failed(failure));
      assertThat(failure(run(rig, failing, deflate(rig, options())))).isSameAs(failure);
    }
  }

  @Test
  void aMaterializerThatEndsReleasesEverything() throws Exception {
    try (StreamRig rig = StreamRig.create()) {
      Materializer brief = Materializer.createMaterializer(rig.system.kit.system());
      CompletableFuture<ByteString> first = new CompletableFuture<>();
      CompletionStage<StreamStatistics> end =
          endless()
              .viaMat(deflate(rig, options()), Keep.right())
              .wireTap(first::complete)
              .to(Sink.ignore())
              .run(brief);
      get(first);
      brief.shutdown();
      assertThat(failure(end)).isInstanceOf(AbruptStageTerminationException.class);
      rig.assertReleased();
    }
  }

  @Test
  void aFailedTaskFailsTheStreamWithTheErrorOfTheDevice() throws Exception {
    FreshSoftDpu.DEVICE.faults("compress-deflate:fail:nth=5");
    try (StreamRig rig = StreamRig.create()) {
      CompletionStage<StreamStatistics> end = run(rig, endless(), deflate(rig, options()));
      assertThat(docaFailure(end).error().code()).isEqualTo(DocaCode.IO_FAILED);
    }
  }

  @Test
  void aSupervisionStrategyMayDropElementsThatFail() throws Exception {
    FreshSoftDpu.DEVICE.faults("compress-deflate:fail:nth=5");
    try (StreamRig rig = StreamRig.create()) {
      Result result =
          rig.run(
              elements(10),
              deflate(rig, options())
                  .withAttributes(
                      ActorAttributes.withSupervisionStrategy(Supervision.getResumingDecider())));
      assertThat(result.statistics().elementsIn()).isEqualTo(10);
      assertThat(result.elements()).hasSize(9);
    }
  }

  @Test
  @ExpectedLog("compress")
  void aLostDeviceFailsTheStreamAndTheNextOneRuns() throws Exception {
    try (StreamRig rig = StreamRig.create()) {
      Flow<ByteString, ByteString, CompletionStage<StreamStatistics>> flow =
          deflate(rig, options());
      FreshSoftDpu.DEVICE.faults("compress-deflate:lost:nth=5");
      docaFailure(run(rig, endless(), flow));
      rig.assertReleased();
      assertThat(rig.run(elements(3), flow).elements()).hasSize(3);
    }
  }

  @Test
  @ExpectedLog({"compress", "Restarting"})
  void aRestartFlowContinuesAfterTheLossOfTheDevice() throws Exception {
    try (StreamRig rig = StreamRig.create()) {
      Flow<ByteString, ByteString, CompletionStage<StreamStatistics>> flow =
          deflate(rig, options());
      FreshSoftDpu.DEVICE.faults("compress-deflate:lost:nth=5");
      Queue<CompletionStage<StreamStatistics>> ends = new ConcurrentLinkedQueue<>();
      RestartSettings settings =
          RestartSettings.create(Duration.ofMillis(1), Duration.ofMillis(10), 0);
      List<ByteString> results =
          get(
              endless()
                  .via(RestartFlow.onFailuresWithBackoff(settings, () -> noting(ends, flow)))
                  .take(20)
                  .map(KindsTest::inflated)
                  .runWith(Sink.seq(), rig.system.kit.system()));
      assertThat(results).hasSize(20).allMatch(one -> one.size() == BYTES);
      docaFailure(requireNonNull(ends.poll()));
      for (CompletionStage<StreamStatistics> end : ends) {
        get(end.exceptionally(failure -> new StreamStatistics(0, 0, 0, 0, 0)));
      }
    }
  }

  private static Flow<ByteString, ByteString, ?> noting(
      Queue<CompletionStage<StreamStatistics>> ends,
      Flow<ByteString, ByteString, CompletionStage<StreamStatistics>> flow) {
    return flow.mapMaterializedValue(
        end -> {
          ends.add(end);
          return end;
        });
  }

  @Test
  void aContextThatHasStoppedFailsTheStream() throws Exception {
    try (StreamRig rig = StreamRig.create()) {
      ActorRef<CompressProtocol.Command> compress = rig.compress();
      TestProbe<Stopped> stopped = rig.system.kit.createTestProbe();
      compress.tell(new Stop(stopped.getRef()));
      stopped.receiveMessage();
      CompletionStage<StreamStatistics> end =
          run(rig, Source.from(elements(1)), Deflate.flow(rig.system.engine, compress, options()));
      assertThat(docaFailure(end).error().code())
          .isIn(
              DocaCode.NOT_FOUND,
              DocaCode.SHUTDOWN); // the engine has not seen the end of the context yet
    }
  }

  @Test
  void aTaskThatMissesItsDeadlineKeepsTheMemoryOpenUntilTheDeviceReturnsIt() throws Exception {
    FreshSoftDpu.DEVICE.faults("compress-deflate:delay=600ms:nth=1");
    try (StreamRig rig = StreamRig.create()) {
      CompletionStage<StreamStatistics> end =
          run(
              rig,
              Source.single(elements(1).get(0)),
              deflate(rig, options().withDeadline(Duration.ofMillis(400))));
      assertThat(docaFailure(end).error().code()).isEqualTo(DocaCode.TIME_OUT);
    }
  }

  @Test
  void anEngineGroupRunsAStream() throws Exception {
    try (StreamRig rig = StreamRig.create()) {
      ActorRef<EngineProtocol.Command> group =
          rig.system.kit.spawn(EngineGroup.create(GroupOptions.of(2)), "group");
      TestProbe<CompressProtocol.OpenReply> probe = rig.system.kit.createTestProbe();
      TaskOptions deflate = TaskOptions.defaults().withKinds(TaskKind.COMPRESS_DEFLATE);
      group.tell(new OpenCompress("compress", deflate, probe.getRef()));
      ActorRef<CompressProtocol.Command> compress =
          probe.expectMessageClass(CompressProtocol.Opened.class).context();
      List<ByteString> results =
          rig.run(elements(50), Deflate.flow(group, compress, options())).elements();
      assertThat(results.stream().map(KindsTest::inflated).toList()).isEqualTo(elements(50));
      TestProbe<Stopped> stopped = rig.system.kit.createTestProbe();
      group.tell(new Stop(Optional.of(stopped.getRef())));
      assertThat(stopped.receiveMessage()).isEqualTo(Stopped.CLEAN);
    }
  }

  private static Source<ByteString, ?> endless() {
    return Source.repeat(ByteString.fromArray(new byte[BYTES]));
  }

  private static Flow<ByteString, ByteString, CompletionStage<StreamStatistics>> deflate(
      StreamRig rig, StreamOptions options) {
    return Deflate.flow(rig.system.engine, rig.compress(), options);
  }

  private static CompletionStage<StreamStatistics> run(
      StreamRig rig,
      Source<ByteString, ?> source,
      Flow<ByteString, ByteString, CompletionStage<StreamStatistics>> flow) {
    return source.viaMat(flow, Keep.right()).to(Sink.ignore()).run(rig.system.kit.system());
  }
}
