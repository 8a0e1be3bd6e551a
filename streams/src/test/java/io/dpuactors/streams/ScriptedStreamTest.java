package io.dpuactors.streams;

import static io.dpuactors.streams.StreamRig.docaFailure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.protocol.BufferOptions;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.Opened;
import io.dpuactors.protocol.EngineProtocol.OpenCompress;
import io.dpuactors.protocol.EngineProtocol.OpenSha;
import io.dpuactors.protocol.MemoryProtocol.OpenBuffers;
import io.dpuactors.protocol.ShaProtocol;
import io.dpuactors.protocol.ShaProtocol.Algorithm;
import io.dpuactors.protocol.ShaProtocol.OpenSession;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.testkit.Reaction;
import io.dpuactors.testkit.ScriptedContext;
import io.dpuactors.testkit.ScriptedEngine;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.stream.ActorAttributes;
import org.apache.pekko.stream.Supervision;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests flows on the engine of the testkit, without a device. */
class ScriptedStreamTest {
  private static final List<ByteString> ELEMENTS =
      List.of(ByteString.fromString("one"), ByteString.fromString("two"));
  private static final StreamOptions OPTIONS = StreamOptions.of(4096);

  private final ActorTestKit kit = ActorTestKit.create();
  private final ScriptedContext<CompressProtocol.Command> compress = ScriptedContext.compress(kit);
  private final ScriptedEngine engine =
      ScriptedEngine.create(kit).withContext("compress", compress);

  @AfterEach
  void end() {
    kit.shutdownTestKit();
  }

  private ActorRef<CompressProtocol.Command> open() {
    TestProbe<CompressProtocol.OpenReply> opened = kit.createTestProbe();
    engine.ref().tell(new OpenCompress("compress", TaskOptions.defaults(), opened.getRef()));
    return opened.expectMessageClass(Opened.class).context();
  }

  private List<ByteString> roundTrip(ActorRef<CompressProtocol.Command> context) throws Exception {
    return Source.from(ELEMENTS)
        .via(Deflate.flow(engine.ref(), context, OPTIONS))
        .via(Inflate.flow(engine.ref(), context, OPTIONS))
        .runWith(Sink.seq(), kit.system())
        .toCompletableFuture()
        .get(10, TimeUnit.SECONDS);
  }

  @Test
  void flowsRunAndReturnTheirBuffers() throws Exception {
    assertThat(roundTrip(open())).isEqualTo(ELEMENTS);
    TestProbe<Stopped> stopped = kit.createTestProbe();
    engine.ref().tell(new Stop(stopped.getRef()));
    assertThat(stopped.receiveMessage().clean()).isTrue();
  }

  @Test
  void theOptionsReachTheBuffers() throws Exception {
    ActorRef<CompressProtocol.Command> context = open();
    engine.expect(OpenCompress.class);
    StreamOptions options =
        OPTIONS
            .withHugePages()
            .withParallelism(3)
            .unordered()
            .withDeadline(Duration.ofSeconds(20))
            .withBusyRetry(Duration.ofMillis(2), Duration.ofMillis(8));
    Source.from(ELEMENTS)
        .via(Deflate.flow(engine.ref(), context, options))
        .runWith(Sink.seq(), kit.system())
        .toCompletableFuture()
        .get(10, TimeUnit.SECONDS);
    assertThat(engine.expect(OpenBuffers.class).options())
        .isEqualTo(
            new BufferOptions(3, 4096, Deflate.maxDeflatedBytes(4096), 3, /* hugePages= */ true));
  }

  @Test
  void aScriptedFailureFailsTheStream() {
    ActorRef<CompressProtocol.Command> context = open();
    compress.next(Reaction.fail(DocaCode.IO_FAILED));
    assertThatThrownBy(() -> roundTrip(context)).hasMessageContaining("DOCA_ERROR_IO_FAILED");
  }

  /** A digest without one of the parts would be that of another message. */
  @Test
  void aSupervisionStrategyDropsNoPartOfADigest() throws Exception {
    ScriptedContext<ShaProtocol.Command> sha = ScriptedContext.sha(kit);
    engine.withContext("sha", sha);
    TestProbe<ShaProtocol.OpenReply> opened = kit.createTestProbe();
    engine.ref().tell(new OpenSha("sha", TaskOptions.defaults(), opened.getRef()));
    ActorRef<ShaProtocol.Command> context =
        opened.expectMessageClass(ShaProtocol.Opened.class).context();
    sha.next(OpenSession.class, Reaction.fail(DocaCode.NO_MEMORY)); // the next one would open
    CompletionStage<ByteString> digest =
        Source.single(ByteString.fromArray(new byte[1000]))
            .runWith(
                Sha.sink(engine.ref(), context, Algorithm.SHA256, StreamOptions.of(256))
                    .withAttributes(
                        ActorAttributes.withSupervisionStrategy(Supervision.getResumingDecider())),
                kit.system());
    assertThat(docaFailure(digest).error().code()).isEqualTo(DocaCode.NO_MEMORY);
  }
}
