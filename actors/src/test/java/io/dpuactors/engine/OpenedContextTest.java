package io.dpuactors.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenComchClient;
import io.dpuactors.protocol.EngineProtocol.OpenCompress;
import io.dpuactors.protocol.EngineProtocol.OpenSha;
import io.dpuactors.protocol.ShaProtocol;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the opening of contexts without message adapters. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class OpenedContextTest {
  private static final Duration BOUND = Duration.ofSeconds(20);

  private RunningSystem system;

  @BeforeEach
  void create() {
    system = RunningSystem.create();
  }

  @AfterEach
  void close() {
    system.close();
  }

  private CompletionStage<ActorRef<CompressProtocol.Command>> compress(TaskOptions options) {
    return DpuActors.get(system.kit.system())
        .open(system.engine, OpenCompress::new, "compress", options);
  }

  @Test
  void theStageHasTheActorOfTheContext() {
    CompletionStage<ActorRef<ShaProtocol.Command>> sha =
        DpuActors.get(system.kit.system())
            .open(system.engine, OpenSha::new, "sha", TaskOptions.defaults());
    assertThat(sha.toCompletableFuture())
        .succeedsWithin(BOUND)
        .satisfies(context -> assertThat(context.path().name()).isEqualTo("sha"));
    assertThat(system.stopEngine().clean()).isTrue();
  }

  @Test
  void theStageFailsWithTheErrorOfTheStart() {
    assertThat(compress(TaskOptions.defaults()).toCompletableFuture()).succeedsWithin(BOUND);
    assertThat(compress(TaskOptions.defaults()).toCompletableFuture())
        .failsWithin(BOUND)
        .withThrowableThat()
        .havingCause()
        .isInstanceOfSatisfying(
            DocaException.class,
            e -> assertThat(e.error().code()).isEqualTo(DocaCode.ALREADY_EXIST));
    assertThat(system.stopEngine().clean()).isTrue();
  }

  @Test
  void theStageHasTheActorOfAClientThatContinuesToConnect() {
    try (RunningSystem hurried = RunningSystem.create("dpu.engine.open-deadline = 50ms")) {
      ClientOptions options =
          ClientOptions.of("test-nobody")
              .withSupervision(
                  SupervisorStrategy.restartWithBackoff(
                          Duration.ofMinutes(1), Duration.ofMinutes(1), 0)
                      .withLoggingEnabled(false));
      CompletionStage<ActorRef<ConnectionProtocol.Command>> client =
          DpuActors.get(hurried.kit.system())
              .open(hurried.engine, OpenComchClient::new, "client", options);
      assertThat(client.toCompletableFuture())
          .succeedsWithin(BOUND)
          .satisfies(actor -> assertThat(actor.path().name()).isEqualTo("client"));
      assertThat(hurried.stopEngine().clean()).isTrue();
    }
  }

  @Test
  void theStageFailsAfterTheEndOfTheEngine() {
    assertThat(system.stopEngine().clean()).isTrue();
    assertThat(compress(TaskOptions.defaults()).toCompletableFuture())
        .failsWithin(BOUND)
        .withThrowableThat()
        .withCauseInstanceOf(TimeoutException.class);
  }
}
