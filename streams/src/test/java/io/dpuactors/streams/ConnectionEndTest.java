package io.dpuactors.streams;

import static io.dpuactors.streams.StreamRig.docaFailure;
import static io.dpuactors.streams.StreamRig.failure;
import static io.dpuactors.streams.StreamRig.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.streams.ConnectionRig.Running;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.AbruptStageTerminationException;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.FlowShape;
import org.apache.pekko.stream.Inlet;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.RestartSettings;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.RestartFlow;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.SinkQueueWithCancel;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.stream.stage.AbstractInHandler;
import org.apache.pekko.stream.stage.AbstractOutHandler;
import org.apache.pekko.stream.stage.GraphStage;
import org.apache.pekko.stream.stage.GraphStageLogic;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests each end of each direction of connections as streams. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class ConnectionEndTest {
  private static final ByteString ONE = ByteString.fromString("one");

  private static Flow<ByteString, ByteString, NotUsed> echo() {
    return Flow.create();
  }

  @ParameterizedTest
  @EnumSource
  void aClientThatCancelsCompletesTheStreamOfTheServer(Transport transport) throws Exception {
    try (ConnectionRig rig = ConnectionRig.create(transport)) {
      CompletionStage<List<ByteString>> three =
          Source.<ByteString>maybe()
              .via(rig.ends.client())
              .take(3)
              .runWith(Sink.seq(), rig.actors());
      CompletionStage<StreamStatistics> server =
          rig.serve(Flow.fromSinkAndSourceCoupled(Sink.ignore(), Source.repeat(ONE)));
      assertThat(get(three)).containsExactly(ONE, ONE, ONE);
      assertThat(get(server).elementsOut()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aServerThatCancelsCancelsTheUpstreamOfTheClient(Transport transport) throws Exception {
    try (ConnectionRig rig = ConnectionRig.create(transport)) {
      Running client = rig.run(Source.repeat(ONE));
      rig.serve(Flow.of(ByteString.class).take(10));
      assertThat(get(client.elements())).hasSize(10);
      assertThat(get(client.end()).elementsOut()).isEqualTo(10);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFailureOfOneEndFailsTheOtherWithItsReason(Transport transport) throws Exception {
    try (ConnectionRig rig = ConnectionRig.create(transport)) {
      IllegalStateException failure = new IllegalStateException("broken file");
      Running client =
          rig.run(
              Source.range(1, 2)
                  .map(
                      number -> {
                        if (number == 2) {
                          throw failure;
                        }
                        return ONE;
                      }));
      CompletionStage<StreamStatistics> server = rig.serve(echo());
      assertThat(failure(client.end())).isSameAs(failure);
      assertThat(docaFailure(server)).hasMessageContaining("broken file");
      assertThat(docaFailure(server).error().code()).isEqualTo(DocaCode.IO_FAILED);
    }
  }

  /** The failure follows elements that fill the window of the connection. */
  @ParameterizedTest
  @EnumSource
  void aFailureBehindAFullWindowFailsTheOtherEnd(Transport transport) throws Exception {
    int window = 16;
    IllegalStateException failure = new IllegalStateException("broken file");
    try (ConnectionRig rig = ConnectionRig.create(transport, "", window)) {
      Running client = rig.run(Source.repeat(ONE).via(new FailAfter(window, failure)));
      CompletionStage<StreamStatistics> server = rig.serve(echo());
      assertThat(docaFailure(server)).hasMessageContaining("broken file");
      assertThat(failure(client.end())).isSameAs(failure);
      assertThat(failure(client.elements())).isSameAs(failure);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFailureOfAHandlerFailsTheClient(Transport transport) throws Exception {
    try (ConnectionRig rig = ConnectionRig.create(transport)) {
      Running client = rig.run(Source.repeat(ONE));
      CompletionStage<StreamStatistics> server =
          rig.serve(
              Flow.of(ByteString.class)
                  .map(
                      one -> {
                        throw new IllegalStateException("no handler");
                      }));
      assertThat(failure(server)).hasMessageContaining("no handler");
      assertThat(docaFailure(client.elements())).hasMessageContaining("no handler");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aConnectionThatClosesFailsBothStreams(Transport transport) throws Exception {
    try (ConnectionRig rig = ConnectionRig.create(transport)) {
      CompletableFuture<ByteString> received = new CompletableFuture<>();
      Running client = rig.run(Source.single(ONE).concat(Source.maybe()));
      IncomingConnection<?> incoming = rig.next().orElseThrow();
      CompletionStage<StreamStatistics> server =
          incoming.handleWith(echo().wireTap(received::complete), rig.actors());
      get(received);
      ConnectionRig.stop(incoming.connection());
      assertThat(docaFailure(server).error().code()).isEqualTo(DocaCode.SHUTDOWN);
      assertThat(docaFailure(client.end()).error().code()).isEqualTo(DocaCode.CONNECTION_RESET);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aConnectionThatClosesEarlyFailsBothStreams(Transport transport) throws Exception {
    try (ConnectionRig rig = ConnectionRig.create(transport)) {
      Running client = rig.run(Source.maybe());
      IncomingConnection<?> incoming = rig.next().orElseThrow();
      CompletionStage<StreamStatistics> server = incoming.handleWith(echo(), rig.actors());
      ConnectionRig.stop(incoming.connection());
      assertThat(docaFailure(server).error().code()).isEqualTo(DocaCode.SHUTDOWN);
      assertThat(docaFailure(client.end()).error().code())
          .isIn(
              DocaCode.CONNECTION_RESET,
              DocaCode.CONNECTION_ABORTED); // the client was not connected yet
    }
  }

  @ParameterizedTest
  @EnumSource
  void aMaterializerThatEndsClosesTheConnection(Transport transport) throws Exception {
    try (ConnectionRig rig = ConnectionRig.create(transport)) {
      Materializer brief = Materializer.createMaterializer(rig.actors());
      CompletionStage<StreamStatistics> client =
          Source.<ByteString>maybe()
              .viaMat(rig.ends.client(), Keep.right())
              .to(Sink.ignore())
              .run(brief);
      CompletionStage<StreamStatistics> server = rig.serve(echo());
      brief.shutdown();
      assertThat(failure(client)).isInstanceOf(AbruptStageTerminationException.class);
      docaFailure(server);
    }
  }

  @ParameterizedTest
  @EnumSource
  @ExpectedLog(value = "Restarting", always = false)
  void aRestartFlowConnectsAgain(Transport transport) throws Exception {
    try (ConnectionRig rig = ConnectionRig.create(transport)) {
      RestartSettings settings =
          RestartSettings.create(Duration.ofMillis(1), Duration.ofMillis(10), 0);
      SinkQueueWithCancel<ByteString> elements =
          Source.<ByteString>maybe()
              .via(RestartFlow.onFailuresWithBackoff(settings, rig.ends::client))
              .runWith(Sink.queue(), rig.actors());
      Flow<ByteString, ByteString, NotUsed> one =
          Flow.fromSinkAndSource(
              Sink.ignore(), Source.single(ONE).concat(Source.<ByteString>maybe()));
      IncomingConnection<?> first = rig.next().orElseThrow();
      CompletionStage<StreamStatistics> lost = first.handleWith(one, rig.actors());
      assertThat(get(elements.pull())).hasValue(ONE);
      ConnectionRig.stop(first.connection());
      docaFailure(lost);
      CompletionStage<StreamStatistics> second = rig.serve(one);
      assertThat(get(elements.pull())).hasValue(ONE);
      elements.cancel();
      rig.binding.unbind();
      docaFailure(second);
    }
  }

  /** Passes a number of elements on, and fails with the last one: the downstream has not pulled. */
  private static final class FailAfter extends GraphStage<FlowShape<ByteString, ByteString>> {
    private final FlowShape<ByteString, ByteString> shape =
        FlowShape.of(Inlet.create("FailAfter.in"), Outlet.create("FailAfter.out"));
    private final int elements;
    private final Throwable failure;

    FailAfter(int elements, Throwable failure) {
      this.elements = elements;
      this.failure = failure;
    }

    @Override
    public FlowShape<ByteString, ByteString> shape() {
      return shape;
    }

    @Override
    public GraphStageLogic createLogic(Attributes attributes) {
      return new GraphStageLogic(shape) {
        private int passed;

        {
          setHandler(
              shape.in(),
              new AbstractInHandler() {
                @Override
                public void onPush() {
                  push(shape.out(), grab(shape.in()));
                  if (++passed == elements) {
                    failStage(failure);
                  }
                }
              });
          setHandler(
              shape.out(),
              new AbstractOutHandler() {
                @Override
                public void onPull() {
                  pull(shape.in());
                }
              });
        }
      };
    }
  }
}
