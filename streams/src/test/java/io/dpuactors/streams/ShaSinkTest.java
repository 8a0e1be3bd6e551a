package io.dpuactors.streams;

import static io.dpuactors.streams.StreamRig.docaFailure;
import static io.dpuactors.streams.StreamRig.failure;
import static io.dpuactors.streams.StreamRig.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Census;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.protocol.ShaProtocol;
import io.dpuactors.protocol.ShaProtocol.Algorithm;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.stream.AbruptStageTerminationException;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the digest of a stream, against the JDK's. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class ShaSinkTest {
  private static final int PART = 256;

  private static Sink<ByteString, CompletionStage<ByteString>> sink(
      StreamRig rig, ActorRef<ShaProtocol.Command> sha, Algorithm algorithm) {
    return Sha.sink(rig.system.engine, sha, algorithm, StreamOptions.of(PART));
  }

  @ParameterizedTest
  @EnumSource
  void theDigestDependsOnTheBytesAndNotOnTheElements(Algorithm algorithm) throws Exception {
    try (StreamRig rig = StreamRig.create()) {
      ActorRef<ShaProtocol.Command> sha = rig.sha();
      Random random = new Random(7);
      for (int size : new int[] {0, 1, PART - 1, PART, PART + 1, 2 * PART, 9 * PART + 77}) {
        byte[] bytes = new byte[size];
        random.nextBytes(bytes);
        ByteString digest =
            ByteString.fromArray(MessageDigest.getInstance(algorithm.standardName()).digest(bytes));
        for (int element : new int[] {1, 100, PART, 10 * PART}) {
          CompletionStage<ByteString> result =
              Source.from(cut(ByteString.fromArray(bytes), element))
                  .runWith(sink(rig, sha, algorithm), rig.system.kit.system());
          assertThat(get(result)).as("%d bytes by %d", size, element).isEqualTo(digest);
        }
      }
      rig.assertReleased();
    }
  }

  private static List<ByteString> cut(ByteString bytes, int element) {
    List<ByteString> elements = new ArrayList<>();
    for (int from = 0; from < bytes.size(); from += element) {
      elements.add(bytes.slice(from, from + element));
    }
    return elements;
  }

  @Test
  void aPartSmallerThanABlockIsOneBlock() {
    assertThat(ShaDigest.partBytes(Algorithm.SHA512, StreamOptions.of(1))).isEqualTo(128);
    assertThat(ShaDigest.partBytes(Algorithm.SHA256, StreamOptions.of(200))).isEqualTo(192);
  }

  @Test
  void aFailureOfTheUpstreamEndsTheSession() throws Exception {
    try (StreamRig rig = StreamRig.create()) {
      ActorRef<ShaProtocol.Command> sha = rig.sha();
      IllegalStateException failure = new IllegalStateException("upstream");
      for (int i = 0; i < 100; i++) { // more often than the context has sessions
        Source<ByteString, ?> failing =
            Source.range(1, 3)
                .map(
                    number -> {
                      if (number == 3) {
                        throw failure;
                      }
                      return ByteString.fromArray(new byte[2 * PART]);
                    });
        CompletionStage<ByteString> result =
            failing.runWith(sink(rig, sha, Algorithm.SHA256), rig.system.kit.system());
        assertThat(failure(result)).isSameAs(failure);
      }
      rig.assertReleased();
    }
  }

  /** The buffers of the stream hold fewer than 100 elements, so a session is open. */
  @Test
  void aMaterializerThatEndsClosesTheSession() throws Exception {
    try (StreamRig rig = StreamRig.create()) {
      Materializer brief = Materializer.createMaterializer(rig.system.kit.system());
      CompletableFuture<Integer> running = new CompletableFuture<>();
      CompletionStage<ByteString> digest =
          Source.range(1, Integer.MAX_VALUE - 1)
              .map(
                  number -> {
                    if (number == 100) {
                      running.complete(number);
                    }
                    return ByteString.fromArray(new byte[PART]);
                  })
              .runWith(sink(rig, rig.sha(), Algorithm.SHA256), brief);
      get(running);
      brief.shutdown();
      assertThat(failure(digest)).isInstanceOf(AbruptStageTerminationException.class);
      rig.assertReleased();
      assertThat(rig.system.open(Census.Resource.HANDLE)).isZero();
    }
  }

  @Test
  void buffersThatDoNotOpenLeaveNoSession() throws Exception {
    try (StreamRig rig = StreamRig.create()) {
      ActorRef<ShaProtocol.Command> sha = rig.sha();
      Source<ByteString, ?> parts = Source.single(ByteString.fromArray(new byte[5 * PART]));
      for (int i = 0; i < 100; i++) { // more often than the context has sessions
        CompletionStage<ByteString> result =
            parts.runWith(
                Sha.sink(
                    rig.system.kit.system().deadLetters(), // an engine that has ended
                    sha,
                    Algorithm.SHA256,
                    StreamOptions.of(PART)),
                rig.system.kit.system());
        assertThat(docaFailure(result).error().code()).isEqualTo(DocaCode.TIME_OUT);
      }
      CompletionStage<ByteString> digest =
          parts.runWith(sink(rig, sha, Algorithm.SHA256), rig.system.kit.system());
      assertThat(get(digest).size()).isEqualTo(Algorithm.SHA256.digestBytes());
      rig.assertReleased();
    }
  }

  @Test
  void aFailedPartFailsTheDigest() throws Exception {
    FreshSoftDpu.DEVICE.faults("sha-partial-hash:fail:nth=3");
    try (StreamRig rig = StreamRig.create()) {
      CompletionStage<ByteString> result =
          Source.single(ByteString.fromArray(new byte[5 * PART]))
              .runWith(sink(rig, rig.sha(), Algorithm.SHA1), rig.system.kit.system());
      assertThat(docaFailure(result).error().code()).isEqualTo(DocaCode.IO_FAILED);
      rig.assertReleased();
    }
  }
}
