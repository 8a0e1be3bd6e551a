package io.dpuactors.streams;

import static io.dpuactors.streams.StreamRig.docaFailure;
import static io.dpuactors.streams.StreamRig.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.RdmaClientOptions;
import io.dpuactors.protocol.RdmaProtocol;
import io.dpuactors.streams.ConnectionRig.Running;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the memory and the limits of RDMA connections as streams. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class RdmaStreamTest {
  private static final ByteString LARGE = ByteString.fromArray(new byte[4000]);

  @Test
  void memoryThatIsNotAvailableFailsTheStream() throws Exception {
    try (ConnectionRig rig = ConnectionRig.create(Transport.RDMA)) {
      ActorRef<RdmaProtocol.Command> third = Transport.context(rig.system, "third", "03:00.0");
      Running client =
          rig.run(
              Source.single(LARGE),
              Rdma.outgoingConnection(
                  rig.system.engine,
                  third,
                  RdmaClientOptions.of("127.0.0.1", Transport.PORT),
                  PoolOptions.of(16, 4096).onDevice("ff:00.0")));
      CompletionStage<StreamStatistics> server = rig.serve(Flow.create());
      assertThat(docaFailure(client.end()).error().code()).isEqualTo(DocaCode.NOT_FOUND);
      docaFailure(server);
      get(rig.stopped(third));
    }
  }

  @Test
  void anElementBeyondTheReceivesOfThePeerFailsBothStreams() throws Exception {
    try (ConnectionRig rig =
        ConnectionRig.create(Transport.RDMA, "dpu.rdma.receive-bytes = 2048", 16)) {
      Running client = rig.run(Source.single(LARGE));
      CompletionStage<StreamStatistics> server = rig.serve(Flow.create());
      DocaException failure = docaFailure(client.end());
      // The answer of the device, or the end of the connection after it.
      assertThat(failure.error().code()).isIn(DocaCode.IO_FAILED, DocaCode.CONNECTION_RESET);
      docaFailure(server);
    }
  }

  /** Sizes at the limits of one and of two messages, and many messages. */
  @Test
  void largeElementsPassInParts() throws Exception {
    int message = 2047;
    List<ByteString> elements =
        IntStream.of(0, 1, message, message + 1, 2 * message, 100_000, 100_000, 2)
            .mapToObj(RdmaStreamTest::random)
            .toList();
    long bytes = elements.stream().mapToLong(ByteString::size).sum();
    PoolOptions messages = PoolOptions.of(4, message + 1).onDevice("03:00.0");
    try (StreamRig rig = StreamRig.create()) {
      List<ActorRef<RdmaProtocol.Command>> contexts = rig.rdma();
      ActorSystem<?> actors = rig.system.kit.system();
      ServerBinding<?> binding =
          get(
              Rdma.bind(rig.system.engine, contexts.get(0), Transport.PORT, messages, 100_000)
                  .to(Sink.foreach(one -> one.handleWith(Flow.create(), actors)))
                  .run(actors));
      StreamRig.Result result =
          rig.run(
              elements,
              Rdma.outgoingConnection(
                  rig.system.engine,
                  contexts.get(1),
                  RdmaClientOptions.of("127.0.0.1", Transport.PORT),
                  messages,
                  100_000));
      assertThat(result.elements()).isEqualTo(elements);
      assertThat(result.statistics()).isEqualTo(new StreamStatistics(8, bytes, 8, bytes, 0));
      get(binding.unbind());
    }
  }

  @Test
  void aPeerRefusesAnElementBeyondItsLimit() throws Exception {
    try (ConnectionRig rig = ConnectionRig.create(Transport.RDMA)) {
      ActorRef<RdmaProtocol.Command> third = Transport.context(rig.system, "third", "03:00.0");
      Running client =
          rig.run(
              Source.single(random(5000)),
              Rdma.outgoingConnection(
                  rig.system.engine,
                  third,
                  RdmaClientOptions.of("127.0.0.1", Transport.PORT),
                  PoolOptions.of(16, 2048).onDevice("03:00.0"),
                  5000));
      CompletionStage<StreamStatistics> server = rig.serve(Flow.create());
      assertThat(docaFailure(client.end())).hasMessageContaining("the limit is 4095");
      assertThat(docaFailure(server).error().code()).isEqualTo(DocaCode.INVALID_VALUE);
      get(rig.stopped(third));
    }
  }

  private static ByteString random(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return ByteString.fromArrayUnsafe(bytes);
  }

  @Test
  void moreMessagesThanTheConnectionTakesFailTheStream() throws Exception {
    try (ConnectionRig rig =
        ConnectionRig.create(Transport.RDMA, "dpu.rdma.window = 1\ndpu.rdma.queue = 1", 16)) {
      Running client = rig.run(Source.from(Collections.nCopies(200, LARGE)));
      CompletionStage<StreamStatistics> server = rig.serve(Flow.create());
      assertThat(docaFailure(client.end()).error().code())
          .isIn(DocaCode.FULL, DocaCode.CONNECTION_RESET);
      docaFailure(server);
    }
  }
}
