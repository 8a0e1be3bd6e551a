package io.dpuactors.streams;

import static io.dpuactors.streams.StreamRig.docaFailure;
import static io.dpuactors.streams.StreamRig.failure;
import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenComchClient;
import io.dpuactors.testing.CleanLog;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.Done;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests streams whose connection does not open, without a device. */
@ExtendWith(CleanLog.class)
class OpenerTest {
  private static final DocaError NOT_FOUND =
      Failures.exception("open", DocaCode.NOT_FOUND, "no server").error();

  private ActorTestKit kit = ActorTestKit.create();
  private TestProbe<EngineProtocol.Command> engine = kit.createTestProbe();

  @AfterEach
  void shutdown() {
    kit.shutdownTestKit();
  }

  /** Runs a stream to a client, and returns the value of the connection and the stream's end. */
  private Pair<CompletionStage<StreamStatistics>, CompletionStage<Done>> run(
      Source<ByteString, ?> source) {
    return source
        .viaMat(Comch.outgoingConnection(engine.getRef(), ClientOptions.of("nobody")), Keep.right())
        .toMat(Sink.ignore(), Keep.both())
        .run(kit.system());
  }

  @Test
  void theValueOfAStreamThatEndsEarlyWaitsForTheAnswer() throws Exception {
    Pair<CompletionStage<StreamStatistics>, CompletionStage<Done>> run =
        run(Source.failed(new IllegalStateException("early")));
    assertThat(failure(run.second())).hasMessage("early");
    OpenComchClient command = engine.expectMessageClass(OpenComchClient.class);
    assertThat(run.first().toCompletableFuture()).isNotDone();
    command.refuse(NOT_FOUND);
    assertThat(failure(run.first())).hasMessage("early");
  }

  @Test
  void aRefusedConnectionFailsTheStream() throws Exception {
    CompletionStage<StreamStatistics> end = run(Source.maybe()).first();
    engine.expectMessageClass(OpenComchClient.class).refuse(NOT_FOUND);
    assertThat(docaFailure(end).error()).isEqualTo(NOT_FOUND);
  }

  @Test
  void aConnectionWithoutAnAnswerFailsTheStreamAfterTheDeadline() throws Exception {
    kit.shutdownTestKit();
    kit =
        ActorTestKit.create(
            "late",
            ConfigFactory.parseString("dpu.engine.open-deadline = 100ms")
                .withFallback(ConfigFactory.parseResources("application-test.conf")));
    engine = kit.createTestProbe();
    CompletionStage<StreamStatistics> end = run(Source.maybe()).first();
    assertThat(docaFailure(end).error().code()).isEqualTo(DocaCode.TIME_OUT);
  }
}
