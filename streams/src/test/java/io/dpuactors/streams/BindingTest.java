package io.dpuactors.streams;

import static io.dpuactors.streams.StreamRig.docaFailure;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenComchServer;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.testing.CleanLog;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.stream.javadsl.Sink;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the actor of a source of connections, without a device. */
@ExtendWith(CleanLog.class)
class BindingTest {
  private final ActorTestKit kit = ActorTestKit.create();

  @AfterEach
  void shutdown() {
    kit.shutdownTestKit();
  }

  @Test
  void anActorSystemThatEndsFailsTheBinding() throws Exception {
    TestProbe<EngineProtocol.Command> engine = kit.createTestProbe();
    CompletionStage<?> bound =
        Comch.bind(engine.getRef(), ServerOptions.of("nobody")).to(Sink.ignore()).run(kit.system());
    engine.expectMessageClass(OpenComchServer.class); // and no answer
    kit.shutdownTestKit();
    assertThat(docaFailure(bound).error().code()).isEqualTo(DocaCode.SHUTDOWN);
  }
}
