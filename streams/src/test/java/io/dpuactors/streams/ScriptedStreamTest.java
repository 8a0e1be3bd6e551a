package io.dpuactors.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.Opened;
import io.dpuactors.protocol.EngineProtocol.OpenCompress;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.testkit.Reaction;
import io.dpuactors.testkit.ScriptedContext;
import io.dpuactors.testkit.ScriptedEngine;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
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
  void aScriptedFailureFailsTheStream() {
    ActorRef<CompressProtocol.Command> context = open();
    compress.next(Reaction.fail(DocaCode.IO_FAILED));
    assertThatThrownBy(() -> roundTrip(context)).hasMessageContaining("DOCA_ERROR_IO_FAILED");
  }
}
