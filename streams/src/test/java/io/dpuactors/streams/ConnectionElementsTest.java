package io.dpuactors.streams;

import static io.dpuactors.streams.StreamRig.docaFailure;
import static io.dpuactors.streams.StreamRig.elements;
import static io.dpuactors.streams.StreamRig.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.ConnectionOptions;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.MessageFraming;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.RdmaProtocol;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.streams.ConnectionRig.Running;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.SinkQueueWithCancel;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the elements of connections as streams: order, sizes and backpressure. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class ConnectionElementsTest {
  private static final ByteString ONE = ByteString.fromString("one");

  private static List<ByteString> small(int count) {
    return elements(count).stream().map(one -> one.take(4000)).toList();
  }

  private static Flow<ByteString, ByteString, NotUsed> echo() {
    return Flow.create();
  }

  @ParameterizedTest
  @EnumSource
  void elementsPassInOrderInBothDirections(Transport transport) throws Exception {
    try (ConnectionRig rig = ConnectionRig.create(transport)) {
      Running client = rig.run(Source.from(small(500)));
      CompletionStage<StreamStatistics> server = rig.serve(echo());
      assertThat(get(client.elements())).isEqualTo(small(500));
      long bytes = small(500).stream().mapToLong(ByteString::size).sum();
      assertThat(get(client.end())).isEqualTo(new StreamStatistics(500, bytes, 500, bytes, 0));
      assertThat(get(server)).isEqualTo(new StreamStatistics(500, bytes, 500, bytes, 0));
    }
  }

  @ParameterizedTest
  @EnumSource
  void answersArriveAfterTheRequestsHaveCompleted(Transport transport) throws Exception {
    try (ConnectionRig rig = ConnectionRig.create(transport)) {
      CompletionStage<ByteString> answer =
          Source.single(ONE).via(rig.ends.client()).runWith(Sink.head(), rig.actors());
      CompletionStage<StreamStatistics> server =
          rig.serve(Flow.of(ByteString.class).map(ONE::concat));
      assertThat(get(answer)).isEqualTo(ONE.concat(ONE));
      get(server);
    }
  }

  @ParameterizedTest
  @EnumSource
  void anEmptyElementAndAnEmptyStreamPass(Transport transport) throws Exception {
    try (ConnectionRig rig = ConnectionRig.create(transport)) {
      Running client = rig.run(Source.single(ByteString.emptyByteString()));
      rig.serve(echo());
      assertThat(get(client.elements())).containsExactly(ByteString.emptyByteString());
      Running empty = rig.run(Source.empty());
      rig.serve(echo());
      assertThat(get(empty.elements())).isEmpty();
      get(empty.end());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aServerThatTakesNothingStopsTheUpstreamOfItsClient(Transport transport) throws Exception {
    int credit = 4;
    try (ConnectionRig rig = ConnectionRig.create(transport, "", credit)) {
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

  @ParameterizedTest
  @EnumSource
  void manyMoreElementsThanTheReceiveQueueWaitAtTheSender(Transport transport) throws Exception {
    try (ConnectionRig rig =
        ConnectionRig.create(
            transport, "dpu.comch.connection.receive-queue = 32\ndpu.rdma.share = 32", 16)) {
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

  @ParameterizedTest
  @EnumSource
  void anElementBeyondTheLimitFailsTheStream(Transport transport) throws Exception {
    ByteString large = ByteString.fromArray(new byte[transport.maxElementBytes + 1]);
    try (ConnectionRig rig = ConnectionRig.create(transport)) {
      Running client = rig.run(Source.single(large));
      CompletionStage<StreamStatistics> server = rig.serve(echo());
      assertThat(docaFailure(client.end()).error().code()).isEqualTo(DocaCode.INVALID_VALUE);
      assertThat(docaFailure(server))
          .hasMessageContaining("the limit is " + transport.maxElementBytes);
    }
  }

  @Test
  void aPeerThatSendsMoreThanGrantedFailsTheStream() throws Exception {
    try (ConnectionRig rig = ConnectionRig.create(Transport.COMCH, "", 2)) {
      ActorRef<Object> plain = rig.plain().unsafeUpcast();
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

  /** A truncated element must not appear complete. */
  @Test
  void aPeerThatEndsInsideOfAnElementFailsTheStream() throws Exception {
    try (ConnectionRig rig = ConnectionRig.create(Transport.COMCH)) {
      ActorRef<Object> plain = rig.plain().unsafeUpcast();
      plain.tell(Send.orFail(new StreamMessage.Open(1).encode()));
      plain.tell(Send.orFail(new StreamMessage.Part(ONE).encode()));
      plain.tell(Send.orFail(StreamMessage.Mark.END.encode()));
      CompletionStage<StreamStatistics> server =
          Source.<ByteString>maybe()
              .viaMat(rig.next().orElseThrow().flow(), Keep.right())
              .to(Sink.ignore())
              .run(rig.actors());
      assertThat(docaFailure(server).error().code()).isEqualTo(DocaCode.BAD_STATE);
    }
  }

  @Test
  void aLargeElementNeedsFraming() throws Exception {
    ByteString large = ByteString.fromArray(new byte[1 << 20]);
    ConnectionOptions framed =
        ConnectionOptions.defaults().withFraming(new MessageFraming(large.size() + 1));
    try (ConnectionRig rig = ConnectionRig.create(Transport.COMCH)) {
      get(
          Comch.bind(rig.system.engine, ServerOptions.of("large").withConnections(framed))
              .to(Sink.foreach(one -> one.handleWith(echo(), rig.actors())))
              .run(rig.actors()));
      Running client =
          rig.run(
              Source.from(List.of(large, large)),
              Comch.outgoingConnection(
                  rig.system.engine, ClientOptions.of("large").withConnection(framed)));
      assertThat(get(client.elements())).containsExactly(large, large);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aPeerThatIsNoStreamFailsTheStream(Transport transport) throws Exception {
    try (ConnectionRig rig = ConnectionRig.create(transport)) {
      transport.sendNoStream(rig.system, rig.plain());
      CompletionStage<StreamStatistics> server = rig.serve(echo());
      assertThat(docaFailure(server).error().code()).isEqualTo(DocaCode.BAD_STATE);
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 4096", "1, 1024"})
  void tooLittleMemoryForTheMessagesIsRefused(int count, int bytes) throws Exception {
    try (ConnectionRig rig = ConnectionRig.create(Transport.COMCH)) {
      assertThatIllegalArgumentException()
          .isThrownBy(
              () ->
                  Rdma.bind(
                      rig.system.engine,
                      rig.system.kit.<RdmaProtocol.Command>createTestProbe().getRef(),
                      4791,
                      PoolOptions.of(count, bytes)))
          .withMessageContaining("a stream needs at least 1 of 1025");
    }
  }
}
