package io.dpuactors.streams;

import static io.dpuactors.streams.StreamRig.docaFailure;
import static io.dpuactors.streams.StreamRig.elements;
import static io.dpuactors.streams.StreamRig.get;
import static io.dpuactors.streams.StreamRig.options;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Census;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.protocol.AesGcmProtocol;
import io.dpuactors.protocol.AesGcmProtocol.CreateKey;
import io.dpuactors.protocol.AesGcmProtocol.DestroyKey;
import io.dpuactors.protocol.AesGcmProtocol.Encrypt;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.ErasureCodingProtocol;
import io.dpuactors.protocol.ErasureCodingProtocol.Definition.Cauchy;
import io.dpuactors.protocol.ErasureCodingProtocol.DestroyMatrix;
import io.dpuactors.protocol.MemoryProtocol.OpenBuffers;
import io.dpuactors.protocol.ShaProtocol;
import io.dpuactors.protocol.ShaProtocol.Algorithm;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests that an object does not stay in its context after a stream that did not wait for it. A
 * probe in the place of the context delays the command until the stream has failed.
 */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class LateObjectTest {
  private static final SecretKey KEY = new SecretKeySpec(new byte[32], "AES");
  private static final StreamOptions SHORT = options().withDeadline(Duration.ofSeconds(1));

  @Test
  void aKey() throws Exception {
    try (StreamRig rig = StreamRig.create()) {
      ActorRef<AesGcmProtocol.Command> aes = rig.aes();
      TestProbe<AesGcmProtocol.Command> between = rig.system.kit.createTestProbe();
      CompletionStage<StreamStatistics> end =
          run(rig, AesGcm.encrypt(engineOf(rig, aes), between.getRef(), KEY, SHORT));
      assertThatNothingStays(rig, end, between, aes, AesGcmProtocol.GetCapabilities::new);
    }
  }

  @Test
  void aMatrix() throws Exception {
    try (StreamRig rig = StreamRig.create()) {
      ActorRef<ErasureCodingProtocol.Command> ec = rig.erasureCoding();
      TestProbe<ErasureCodingProtocol.Command> between = rig.system.kit.createTestProbe();
      CompletionStage<StreamStatistics> end =
          run(
              rig,
              ErasureCoding.create(engineOf(rig, ec), between.getRef(), new Cauchy(4, 2), SHORT));
      assertThatNothingStays(rig, end, between, ec, ErasureCodingProtocol.GetCapabilities::new);
    }
  }

  @Test
  void aMatrixOfAMatrix() throws Exception {
    try (StreamRig rig = StreamRig.create()) {
      ActorRef<ErasureCodingProtocol.Command> ec = rig.erasureCoding();
      TestProbe<ErasureCodingProtocol.Command> between = rig.system.kit.createTestProbe();
      CompletionStage<StreamStatistics> end =
          run(
              rig,
              ErasureCoding.recover(
                  engineOf(rig, ec), between.getRef(), new Cauchy(4, 2), List.of(0), SHORT));
      ec.tell(between.receiveMessage());
      ErasureCodingProtocol.Command late = between.receiveMessage();
      ErasureCodingProtocol.Command destroyFirst = between.receiveMessage();
      assertThat(destroyFirst).isInstanceOf(DestroyMatrix.class);
      ec.tell(late);
      ec.tell(destroyFirst);
      assertThat(docaFailure(end).error().code()).isEqualTo(DocaCode.TIME_OUT);
      assertNoHandles(rig);
    }
  }

  @Test
  void aSession() throws Exception {
    try (StreamRig rig = StreamRig.create()) {
      ActorRef<ShaProtocol.Command> sha = rig.sha();
      TestProbe<ShaProtocol.Command> between = rig.system.kit.createTestProbe();
      CompletionStage<ByteString> digest =
          Source.single(ByteString.fromArray(new byte[3 * StreamRig.BYTES]))
              .runWith(
                  Sha.sink(engineOf(rig, sha), between.getRef(), Algorithm.SHA256, SHORT),
                  rig.system.kit.system());
      assertThatNothingStays(rig, digest, between, sha, ShaProtocol.GetCapabilities::new);
    }
  }

  @Test
  void theOwnerEndsWithItsStream() throws Exception {
    try (StreamRig rig = StreamRig.create()) {
      ActorRef<AesGcmProtocol.Command> aes = rig.aes();
      TestProbe<AesGcmProtocol.Command> between = rig.system.kit.createTestProbe();
      CompletionStage<StreamStatistics> end =
          run(rig, AesGcm.encrypt(engineOf(rig, aes), between.getRef(), KEY, options()));
      CreateKey create = between.expectMessageClass(CreateKey.class);
      aes.tell(create);
      aes.tell(between.expectMessageClass(Encrypt.class));
      aes.tell(between.expectMessageClass(DestroyKey.class));
      get(end);
      between.expectTerminated(create.owner().orElseThrow(), Duration.ofSeconds(20));
    }
  }

  /** Returns an engine that opens buffers of the context for the probe in its place. */
  private static ActorRef<EngineProtocol.Command> engineOf(StreamRig rig, ActorRef<?> context) {
    return rig.system.kit.spawn(
        Behaviors.receiveMessage(
            command -> {
              rig.system.engine.tell(
                  command instanceof OpenBuffers open
                      ? new OpenBuffers(context, open.options(), open.replyTo())
                      : command);
              return Behaviors.same();
            }));
  }

  private static CompletionStage<StreamStatistics> run(
      StreamRig rig, Flow<ByteString, ByteString, CompletionStage<StreamStatistics>> flow) {
    return Source.from(elements(1))
        .viaMat(flow, Keep.right())
        .to(Sink.ignore())
        .run(rig.system.kit.system());
  }

  private static <C> void assertThatNothingStays(
      StreamRig rig,
      CompletionStage<?> end,
      TestProbe<C> between,
      ActorRef<C> context,
      Function<ActorRef<TaskCapabilities>, C> query)
      throws Exception {
    C late = between.receiveMessage();
    assertThat(docaFailure(end).error().code()).isEqualTo(DocaCode.TIME_OUT);
    context.tell(late);
    TestProbe<TaskCapabilities> after = rig.system.kit.createTestProbe();
    context.tell(query.apply(after.getRef()));
    after.receiveMessage(); // the object has been created
    assertNoHandles(rig);
  }

  private static void assertNoHandles(StreamRig rig) {
    TestProbe<Object> probe = rig.system.kit.createTestProbe();
    probe.awaitAssert(
        Duration.ofSeconds(20),
        () -> {
          assertThat(rig.system.open(Census.Resource.HANDLE)).isZero();
          return null;
        });
  }
}
