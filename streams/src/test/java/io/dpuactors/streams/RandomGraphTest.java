package io.dpuactors.streams;

import static io.dpuactors.streams.RecoveredElements.MATRIX;
import static io.dpuactors.streams.StreamRig.BYTES;
import static io.dpuactors.streams.StreamRig.elements;
import static io.dpuactors.streams.StreamRig.failure;
import static io.dpuactors.streams.StreamRig.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.DocaException;
import io.dpuactors.protocol.AesGcmProtocol;
import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.ConnectionOptions;
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.ErasureCodingProtocol;
import io.dpuactors.protocol.MessageFraming;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.RdmaClientOptions;
import io.dpuactors.protocol.RdmaProtocol;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.protocol.ShaProtocol;
import io.dpuactors.protocol.ShaProtocol.Algorithm;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.stream.OverflowStrategy;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests graphs of random flows and connections with random ends. Each flow changes elements and
 * restores them, so the elements that come out are those that went in. A seed determines the graph.
 */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class RandomGraphTest {
  private static final SecretKey KEY = new SecretKeySpec(new byte[16], "AES");
  private static final int ELEMENTS = 40;
  private static final String ECHO = "echo";
  private static final ConnectionOptions CONNECTION =
      ConnectionOptions.defaults().withFraming(new MessageFraming(2 * BYTES));
  private static final ClientOptions CLIENT = ClientOptions.of(ECHO).withConnection(CONNECTION);

  private static final RdmaClientOptions LISTENER =
      RdmaClientOptions.of("127.0.0.1", Transport.PORT);

  /** Most elements need several of these messages. */
  private static final PoolOptions MESSAGES = PoolOptions.of(4, 1500);

  private static final PoolOptions BLOCKS = PoolOptions.of(4, BYTES);

  /** Largest element of a flow: that of erasure coding. */
  private static final int ELEMENT_BYTES = RecoveredElements.dataBytes(BYTES);

  private enum End {
    COMPLETE,
    CANCEL,
    FAIL
  }

  /**
   * The end of a flow.
   *
   * @param paths number of fast paths before the flow
   * @param isSource whether the flow takes no elements
   */
  private record Ended(CompletionStage<StreamStatistics> end, int paths, boolean isSource) {}

  /** Restores an element from its digest, which must be that of the JDK. */
  private record CheckedDigest(Algorithm algorithm)
      implements BufferAccess<ByteString, ByteString> {
    @Override
    public void write(ByteString element, ByteBuffer src) {
      element.copyToBuffer(src);
    }

    @Override
    public ByteString read(ByteString element, ByteBuffer dst) {
      byte[] digest = new byte[dst.remaining()];
      dst.get(digest);
      assertThat(ByteString.fromArray(digest)).isEqualTo(KindsTest.digest(algorithm, element));
      return element;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void elementsPassAndMemoryIsReleasedAtEveryEnd(long seed) throws Exception {
    try (StreamRig rig = StreamRig.create()) {
      Graphs graphs = new Graphs(rig, new Random(seed));
      for (int graph = 0; graph < 6; graph++) {
        graphs.runOne();
        rig.awaitReleased();
      }
    }
  }

  private static final class Graphs {
    private final StreamRig rig;
    private final Random random;
    private final ActorRef<CompressProtocol.Command> compress;
    private final ActorRef<DmaProtocol.Command> dma;
    private final ActorRef<AesGcmProtocol.Command> aes;
    private final ActorRef<ShaProtocol.Command> sha;
    private final ActorRef<ErasureCodingProtocol.Command> coding;
    private final List<ActorRef<RdmaProtocol.Command>> rdma;
    private final BlockConnections blocks;
    private final List<Ended> ends = new ArrayList<>();
    private boolean ordered;
    private int paths;

    Graphs(StreamRig rig, Random random) throws Exception {
      this.rig = rig;
      this.random = random;
      this.compress = rig.compress(TaskOptions.defaults().withQueue(2));
      this.dma = rig.dma();
      this.aes = rig.aes();
      this.sha = rig.sha();
      this.coding = rig.erasureCoding();
      this.rdma = rig.rdma();
      this.blocks = new BlockConnections(rig.system, BLOCKS);
      get(
          Comch.bind(rig.system.engine, ServerOptions.of(ECHO).withConnections(CONNECTION))
              .to(Sink.foreach(one -> one.handleWith(Flow.create(), rig.system.kit.system())))
              .run(rig.system.kit.system()));
      get(
          Rdma.bind(rig.system.engine, rdma.get(0), Transport.PORT, MESSAGES, 2 * BYTES)
              .to(Sink.foreach(one -> one.handleWith(Flow.create(), rig.system.kit.system())))
              .run(rig.system.kit.system()));
    }

    void runOne() throws Exception {
      ordered = true;
      paths = 0;
      ends.clear();
      End end = End.values()[random.nextInt(End.values().length)];
      // Without an element, the cancelled end of a fast path may leave before its producer looks.
      int at = 1 + random.nextInt(ELEMENTS - 1);
      Source<ByteString, NotUsed> source = Source.from(elements(ELEMENTS));
      if (end == End.FAIL) {
        source = source.take(at).concat(Source.failed(new IllegalStateException("seed")));
      }
      Flow<ByteString, ByteString, NotUsed> graph = Flow.create();
      for (int segments = 1 + random.nextInt(4); segments > 0; segments--) {
        graph = graph.via(segment());
      }
      CompletionStage<List<ByteString>> result =
          source
              .via(graph)
              .take(end == End.CANCEL ? at : Long.MAX_VALUE)
              .runWith(Sink.seq(), rig.system.kit.system());
      check(end, at, result);
    }

    private void check(End end, int at, CompletionStage<List<ByteString>> result) throws Exception {
      if (end == End.FAIL) {
        assertSeed(failure(result), paths);
      } else {
        List<ByteString> expected = elements(ELEMENTS);
        List<ByteString> actual = get(result);
        assertThat(actual).hasSize(end == End.CANCEL ? at : ELEMENTS).doesNotHaveDuplicates();
        assertThat(expected).containsAll(actual);
        if (ordered) {
          assertThat(actual).isEqualTo(expected.subList(0, actual.size()));
        }
      }
      for (Ended one : ends) {
        checkEnd(end, one);
      }
    }

    /** A cancelled fast path fails the flows before it, unless they have completed. */
    private void checkEnd(End end, Ended one) throws Exception {
      if (end == End.FAIL) {
        assertSeed(failure(one.end()), one.paths());
      } else if (end == End.CANCEL && one.paths() < paths) {
        Optional<Throwable> failure =
            get(one.end().handle((statistics, cause) -> Optional.ofNullable(cause)));
        failure.ifPresent(cause -> assertThat(cause).isInstanceOf(DocaException.class));
      } else {
        StreamStatistics statistics = get(one.end());
        assertThat(statistics.elementsOut())
            .isLessThanOrEqualTo(one.isSource() ? ELEMENTS : statistics.elementsIn());
      }
    }

    /** Behind a fast path, the failure of the upstream is one of the peer. */
    private static void assertSeed(Throwable failure, int paths) {
      if (paths == 0) {
        assertThat(failure).hasMessage("seed");
      } else {
        assertThat(failure)
            .isInstanceOf(DocaException.class)
            .hasMessageContaining("the peer failed");
      }
    }

    private Flow<ByteString, ByteString, ?> segment() {
      StreamOptions options = options();
      return switch (random.nextInt(11)) {
        case 0 -> noted(Dma.flow(rig.system.engine, dma, options));
        case 1 ->
            noted(Deflate.flow(rig.system.engine, compress, options))
                .via(noted(Inflate.flow(rig.system.engine, compress, options)));
        case 2 ->
            noted(AesGcm.encrypt(rig.system.engine, aes, KEY, options))
                .via(noted(AesGcm.decrypt(rig.system.engine, aes, KEY, options)));
        case 3 -> noted(Comch.outgoingConnection(rig.system.engine, CLIENT));
        case 4 ->
            noted(
                Rdma.outgoingConnection(
                    rig.system.engine, rdma.get(1), LISTENER, MESSAGES, 2 * BYTES));
        case 5 -> hashed(options);
        case 6 -> recovered(options);
        case 7 -> fastPath();
        case 8 ->
            Flow.of(ByteString.class)
                .buffer(1 + random.nextInt(8), OverflowStrategy.backpressure());
        case 9 -> Flow.of(ByteString.class).async();
        default -> Flow.of(ByteString.class).grouped(3).mapConcat(group -> group);
      };
    }

    private Flow<ByteString, ByteString, ?> hashed(StreamOptions options) {
      Algorithm algorithm = Algorithm.values()[random.nextInt(Algorithm.values().length)];
      return noted(
          Sha.flow(rig.system.engine, sha, algorithm, options, new CheckedDigest(algorithm)));
    }

    private Flow<ByteString, ByteString, ?> recovered(StreamOptions options) {
      int first = random.nextInt(RecoveredElements.BLOCKS - 1);
      int second = first + 1 + random.nextInt(RecoveredElements.BLOCKS - 1 - first);
      RecoveredElements elements = new RecoveredElements(List.of(first, second));
      return noted(
              ErasureCoding.create(rig.system.engine, coding, MATRIX, options, elements.coding()))
          .via(
              noted(
                  ErasureCoding.recover(
                      rig.system.engine,
                      coding,
                      MATRIX,
                      elements.missing(),
                      options,
                      elements.recovery())));
    }

    private Flow<ByteString, ByteString, ?> fastPath() {
      int before = paths++;
      return blocks
          .flow()
          .mapMaterializedValue(
              both -> {
                ends.add(new Ended(both.sent(), before, false));
                ends.add(new Ended(both.received(), before + 1, true));
                return both;
              });
    }

    private StreamOptions options() {
      StreamOptions options =
          StreamOptions.of(ELEMENT_BYTES).withParallelism(1 + random.nextInt(8));
      if (random.nextInt(3) > 0) {
        return options;
      }
      ordered = false;
      return options.unordered();
    }

    private <T, R> Flow<T, R, ?> noted(Flow<T, R, CompletionStage<StreamStatistics>> flow) {
      int before = paths;
      return flow.mapMaterializedValue(
          end -> {
            ends.add(new Ended(end, before, false));
            return end;
          });
    }
  }
}
