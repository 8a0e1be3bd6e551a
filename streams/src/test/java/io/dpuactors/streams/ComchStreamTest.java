package io.dpuactors.streams;

import static io.dpuactors.streams.StreamRig.docaFailure;
import static io.dpuactors.streams.StreamRig.elements;
import static io.dpuactors.streams.StreamRig.failure;
import static io.dpuactors.streams.StreamRig.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.ConnectionEvent.Closed;
import io.dpuactors.protocol.ConnectionOptions;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.Framing;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.protocol.Stop;
import io.dpuactors.streams.ComchRig.Running;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ComchPair;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.Done;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.AbruptStageTerminationException;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.RestartSettings;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.RestartFlow;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.SinkQueueWithCancel;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests connections as streams: order, backpressure, and each end of each direction. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class ComchStreamTest {
  private static final ByteString ONE = ByteString.fromString("one");

  private static List<ByteString> small(int count) {
    return elements(count).stream().map(one -> one.take(4000)).toList();
  }

  private static Flow<ByteString, ByteString, NotUsed> echo() {
    return Flow.create();
  }

  @Test
  void elementsPassInOrderInBothDirections() throws Exception {
    try (ComchRig rig = ComchRig.create()) {
      Running client = rig.run(Source.from(small(500)));
      CompletionStage<StreamStatistics> server = rig.serve(echo());
      assertThat(get(client.elements())).isEqualTo(small(500));
      long bytes = small(500).stream().mapToLong(ByteString::size).sum();
      assertThat(get(client.end())).isEqualTo(new StreamStatistics(500, bytes, 500, bytes, 0));
      assertThat(get(server)).isEqualTo(new StreamStatistics(500, bytes, 500, bytes, 0));
    }
  }

  @Test
  void answersArriveAfterTheRequestsHaveCompleted() throws Exception {
    try (ComchRig rig = ComchRig.create()) {
      CompletionStage<ByteString> answer =
          Source.single(ONE).via(rig.client()).runWith(Sink.head(), rig.actors());
      CompletionStage<StreamStatistics> server =
          rig.serve(Flow.of(ByteString.class).map(ONE::concat));
      assertThat(get(answer)).isEqualTo(ONE.concat(ONE));
      get(server);
    }
  }

  @Test
  void anEmptyElementAndAnEmptyStreamPass() throws Exception {
    try (ComchRig rig = ComchRig.create()) {
      Running client = rig.run(Source.single(ByteString.emptyByteString()));
      rig.serve(echo());
      assertThat(get(client.elements())).containsExactly(ByteString.emptyByteString());
      Running empty = rig.run(Source.empty());
      rig.serve(echo());
      assertThat(get(empty.elements())).isEmpty();
      get(empty.end());
    }
  }

  @Test
  void aServerThatTakesNothingStopsTheUpstreamOfItsClient() throws Exception {
    int credit = 4;
    try (ComchRig rig = ComchRig.create("", ConnectionOptions.defaults().withCredit(credit))) {
      AtomicInteger pulled = new AtomicInteger();
      Running client =
          rig.run(
              Source.repeat(ONE)
                  .map(
                      one -> {
                        pulled.incrementAndGet();
                        return one;
                      }));
      SinkQueueWithCancel<ByteString> taken =
          Source.<ByteString>maybe()
              .via(rig.next().orElseThrow().flow())
              .toMat(
                  Sink.<ByteString>queue(1).withAttributes(Attributes.inputBuffer(1, 1)),
                  Keep.right())
              .run(rig.actors());
      for (int i = 0; i < 100; i++) {
        assertThat(get(taken.pull())).hasValue(ONE);
        // The grant, one element of the queue, and one that the upstream has made.
        assertThat(pulled.get()).isLessThanOrEqualTo(i + 1 + credit + 2);
      }
      taken.cancel(); // the server's upstream stays open, and so does the client's downstream
      rig.binding.unbind();
      docaFailure(client.end());
    }
  }

  @Test
  void manyMoreElementsThanTheReceiveQueueWaitAtTheSender() throws Exception {
    try (ComchRig rig =
        ComchRig.create("dpu.comch.connection.receive-queue = 32", ConnectionOptions.defaults())) {
      Running client = rig.run(Source.from(Collections.nCopies(2000, ONE)));
      CompletionStage<StreamStatistics> server =
          rig.serve(
              Flow.fromSinkAndSource(
                  Flow.of(ByteString.class).throttle(500, Duration.ofMillis(50)).to(Sink.ignore()),
                  Source.empty()));
      assertThat(get(server).elementsOut()).isEqualTo(2000);
      assertThat(get(client.end()).elementsIn()).isEqualTo(2000);
    }
  }

  @Test
  void aClientThatCancelsCompletesTheStreamOfTheServer() throws Exception {
    try (ComchRig rig = ComchRig.create()) {
      CompletionStage<List<ByteString>> three =
          Source.<ByteString>maybe().via(rig.client()).take(3).runWith(Sink.seq(), rig.actors());
      CompletionStage<StreamStatistics> server =
          rig.serve(Flow.fromSinkAndSourceCoupled(Sink.ignore(), Source.repeat(ONE)));
      assertThat(get(three)).containsExactly(ONE, ONE, ONE);
      assertThat(get(server).elementsOut()).isZero();
    }
  }

  @Test
  void aServerThatCancelsCancelsTheUpstreamOfTheClient() throws Exception {
    try (ComchRig rig = ComchRig.create()) {
      Running client = rig.run(Source.repeat(ONE));
      rig.serve(Flow.of(ByteString.class).take(10));
      assertThat(get(client.elements())).hasSize(10);
      assertThat(get(client.end()).elementsOut()).isEqualTo(10);
    }
  }

  @Test
  void aFailureOfOneEndFailsTheOtherWithItsReason() throws Exception {
    try (ComchRig rig = ComchRig.create()) {
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

  @Test
  void aFailureOfAHandlerFailsTheClient() throws Exception {
    try (ComchRig rig = ComchRig.create()) {
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

  @Test
  void aConnectionThatClosesEarlyFailsBothStreams() throws Exception {
    try (ComchRig rig = ComchRig.create()) {
      Running client = rig.run(Source.maybe());
      IncomingConnection incoming = rig.next().orElseThrow();
      CompletionStage<StreamStatistics> server = incoming.handleWith(echo(), rig.actors());
      incoming.connection().tell(new Stop());
      assertThat(docaFailure(server).error().code()).isEqualTo(DocaCode.SHUTDOWN);
      assertThat(docaFailure(client.end()).error().code()).isEqualTo(DocaCode.CONNECTION_RESET);
    }
  }

  @Test
  void aLargeElementNeedsFraming() throws Exception {
    ByteString large = ByteString.fromArray(new byte[1 << 20]);
    ConnectionOptions framed =
        ConnectionOptions.defaults().withFraming(new Framing(large.size() + 1));
    try (ComchRig rig = ComchRig.create("", framed)) {
      Running client = rig.run(Source.from(List.of(large, large)));
      rig.serve(echo());
      assertThat(get(client.elements())).containsExactly(large, large);
    }
  }

  @Test
  void anElementBeyondTheLimitFailsTheStream() throws Exception {
    ByteString large = ByteString.fromArray(new byte[4080]);
    try (ComchRig rig = ComchRig.create()) {
      Running client = rig.run(Source.single(large));
      CompletionStage<StreamStatistics> server = rig.serve(echo());
      assertThat(docaFailure(client.end()).error().code()).isEqualTo(DocaCode.INVALID_VALUE);
      assertThat(docaFailure(server)).hasMessageContaining("the limit is 4079");
    }
  }

  @Test
  void aMissingServerFailsTheStream() throws Exception {
    try (ComchRig rig = ComchRig.create()) {
      Running client =
          rig.run(
              Source.single(ONE),
              Comch.outgoingConnection(rig.system.engine, ClientOptions.of("nobody")));
      docaFailure(client.end());
      docaFailure(client.elements());
    }
  }

  @Test
  void anUnbindClosesTheConnectionsAndCompletesTheSource() throws Exception {
    try (ComchRig rig = ComchRig.create()) {
      Running client = rig.run(Source.maybe());
      CompletionStage<StreamStatistics> server = rig.serve(echo());
      get(rig.binding.unbind());
      docaFailure(client.end());
      docaFailure(server);
      assertThat(rig.next()).isEmpty();
      get(rig.binding.whenUnbound());
    }
  }

  @Test
  void aCancelledSourceOfConnectionsStopsTheServer() throws Exception {
    try (ComchRig rig = ComchRig.create()) {
      rig.cancelIncoming();
      get(rig.binding.whenUnbound());
      docaFailure(rig.run(Source.single(ONE)).end());
    }
  }

  @Test
  void aServerThatEndsByItselfFailsTheSourceOfConnections() throws Exception {
    try (ComchRig rig = ComchRig.create()) {
      rig.binding.server().tell(new Stop());
      assertThat(failure(rig.pull())).hasMessageContaining("the server has ended");
    }
  }

  @Test
  void aSecondServerOfTheSameNameFailsItsSource() throws Exception {
    try (ComchRig rig = ComchRig.create()) {
      Pair<CompletionStage<ServerBinding>, CompletionStage<Done>> run =
          Comch.bind(rig.system.engine, ServerOptions.of(ComchRig.SERVICE))
              .toMat(Sink.ignore(), Keep.both())
              .run(rig.actors());
      docaFailure(run.first());
      docaFailure(run.second());
    }
  }

  @Test
  void aPeerThatIsNoStreamFailsTheStream() throws Exception {
    try (ComchRig rig = ComchRig.create()) {
      ActorRef<ConnectionProtocol.Command> plain =
          ComchPair.client(
              rig.system, rig.system.engine, "plain", ClientOptions.of(ComchRig.SERVICE));
      plain.tell(Send.orFail("ping"));
      CompletionStage<StreamStatistics> server = rig.serve(echo());
      assertThat(docaFailure(server).error().code()).isEqualTo(DocaCode.BAD_STATE);
    }
  }

  @Test
  void aPeerThatSendsMoreThanGrantedFailsTheStream() throws Exception {
    try (ComchRig rig = ComchRig.create("", ConnectionOptions.defaults().withCredit(2))) {
      ActorRef<ConnectionProtocol.Command> plain =
          ComchPair.client(
              rig.system, rig.system.engine, "plain", ClientOptions.of(ComchRig.SERVICE));
      plain.tell(Send.orFail(new StreamMessage.Open(1).encode()));
      for (int i = 0; i < 3; i++) {
        plain.tell(Send.orFail(new StreamMessage.Element(ONE).encode()));
      }
      CompletionStage<StreamStatistics> server =
          Source.<ByteString>maybe()
              .viaMat(rig.next().orElseThrow().flow(), Keep.right())
              .to(Sink.never())
              .run(rig.actors());
      assertThat(docaFailure(server).error().code()).isEqualTo(DocaCode.FULL);
    }
  }

  @Test
  void aPeerThatOpensNoStreamFailsItAtTheDeadline() throws Exception {
    try (ComchRig rig =
        ComchRig.create("dpu.engine.open-deadline = 300ms", ConnectionOptions.defaults())) {
      ComchPair.openServer(
          rig.system,
          rig.system.engine,
          "mute",
          ServerOptions.of("mute", connection -> Behaviors.ignore()));
      Running client =
          rig.run(
              Source.single(ONE),
              Comch.outgoingConnection(rig.system.engine, ClientOptions.of("mute")));
      assertThat(docaFailure(client.end()).error().code()).isEqualTo(DocaCode.TIME_OUT);
    }
  }

  @Test
  void aConnectionWithoutAStreamClosesAtTheDeadline() throws Exception {
    try (ComchRig rig =
        ComchRig.create("dpu.engine.open-deadline = 300ms", ConnectionOptions.defaults())) {
      TestProbe<Object> events = rig.system.kit.createTestProbe();
      ComchPair.client(
          rig.system,
          rig.system.engine,
          "plain",
          ClientOptions.of(ComchRig.SERVICE)
              .withBehavior(
                  connection ->
                      Behaviors.receiveMessage(
                          event -> {
                            events.ref().tell(event);
                            return Behaviors.same();
                          })));
      events.expectMessageClass(Closed.class);
      IncomingConnection late = rig.next().orElseThrow();
      assertThat(docaFailure(late.handleWith(echo(), rig.actors())).error().code())
          .isEqualTo(DocaCode.SHUTDOWN);
    }
  }

  @Test
  void aConnectionHasOneStream() throws Exception {
    try (ComchRig rig = ComchRig.create()) {
      Running client = rig.run(Source.single(ONE));
      IncomingConnection incoming = rig.next().orElseThrow();
      CompletionStage<StreamStatistics> first = incoming.handleWith(echo(), rig.actors());
      assertThat(docaFailure(incoming.handleWith(echo(), rig.actors())).error().code())
          .isEqualTo(DocaCode.IN_USE);
      assertThat(get(client.elements())).containsExactly(ONE);
      get(first);
    }
  }

  @Test
  void aMaterializerThatEndsClosesTheConnection() throws Exception {
    try (ComchRig rig = ComchRig.create()) {
      Materializer brief = Materializer.createMaterializer(rig.actors());
      CompletionStage<StreamStatistics> client =
          Source.<ByteString>maybe()
              .viaMat(rig.client(), Keep.right())
              .to(Sink.ignore())
              .run(brief);
      CompletionStage<StreamStatistics> server = rig.serve(echo());
      brief.shutdown();
      assertThat(failure(client)).isInstanceOf(AbruptStageTerminationException.class);
      docaFailure(server);
    }
  }

  @Test
  @ExpectedLog(value = "Restarting", always = false)
  void aRestartFlowConnectsAgain() throws Exception {
    try (ComchRig rig = ComchRig.create()) {
      RestartSettings settings =
          RestartSettings.create(Duration.ofMillis(1), Duration.ofMillis(10), 0);
      SinkQueueWithCancel<ByteString> elements =
          Source.<ByteString>maybe()
              .via(RestartFlow.onFailuresWithBackoff(settings, rig::client))
              .runWith(Sink.queue(), rig.actors());
      Flow<ByteString, ByteString, NotUsed> one =
          Flow.fromSinkAndSource(
              Sink.ignore(), Source.single(ONE).concat(Source.<ByteString>maybe()));
      IncomingConnection first = rig.next().orElseThrow();
      CompletionStage<StreamStatistics> lost = first.handleWith(one, rig.actors());
      assertThat(get(elements.pull())).hasValue(ONE);
      first.connection().tell(new Stop());
      docaFailure(lost);
      CompletionStage<StreamStatistics> second = rig.serve(one);
      assertThat(get(elements.pull())).hasValue(ONE);
      elements.cancel();
      rig.binding.unbind();
      docaFailure(second);
    }
  }
}
