package io.dpuactors.apps.file;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.dpuactors.file.BatchEvent;
import io.dpuactors.file.FileFailure;
import io.dpuactors.file.FileFailure.Kind;
import io.dpuactors.file.PartialFiles;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.pekko.Done;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests batches whose actor system ends before them. */
@Timeout(400)
class BatchRunnerTest {
  private static final int LIMIT_S = 100;

  private final CompletableFuture<ActorSystem<?>> started = new CompletableFuture<>();
  private final CompletableFuture<ActorRef<BatchEvent>> listening = new CompletableFuture<>();
  private final CompletableFuture<BatchEvent> reported = new CompletableFuture<>();

  static Stream<Arguments> ends() {
    return Stream.of(
        // At a signal Pekko may end the actors before the batch receives its interrupt.
        Arguments.of(CoordinatedShutdown.jvmExitReason(), Kind.CANCELLED),
        Arguments.of(CoordinatedShutdown.clusterDowningReason(), Kind.REMOVED),
        Arguments.of(CoordinatedShutdown.incompatibleConfigurationDetectedReason(), Kind.REFUSED));
  }

  @ParameterizedTest
  @MethodSource("ends")
  void anActorSystemThatEndsReportsTheReason(CoordinatedShutdown.Reason reason, Kind kind)
      throws Exception {
    CompletableFuture<Void> run = CompletableFuture.runAsync(this::run);
    CoordinatedShutdown.get(started.get(LIMIT_S, TimeUnit.SECONDS)).runAll(reason);
    run.get(LIMIT_S, TimeUnit.SECONDS);
    assertThat(reportedKind()).isEqualTo(kind);
  }

  static Stream<Arguments> endsOfEngines() {
    return Stream.concat(
        ends().skip(1), Stream.of(Arguments.of(CoordinatedShutdown.unknownReason(), Kind.DEVICE)));
  }

  /** The shutdown of an actor system stops the engines before the batch. */
  @ParameterizedTest
  @MethodSource("endsOfEngines")
  void aBatchThatLosesItsEngineReportsTheReason(CoordinatedShutdown.Reason reason, Kind kind)
      throws Exception {
    CompletableFuture<Void> run = CompletableFuture.runAsync(this::run);
    CoordinatedShutdown shutdown = CoordinatedShutdown.get(started.get(LIMIT_S, TimeUnit.SECONDS));
    FileFailure lost =
        new FileFailure(
            Kind.DEVICE, null, OptionalLong.empty(), Optional.empty(), "engine has ended", null);
    ActorRef<BatchEvent> listener = listening.get(LIMIT_S, TimeUnit.SECONDS);
    shutdown.addTask(
        CoordinatedShutdown.PhaseServiceStop(),
        "lose-engine",
        () -> {
          listener.tell(new BatchEvent.Ended(true, "", Optional.of(lost)));
          return reported.thenApply(event -> Done.getInstance());
        });
    shutdown.runAll(reason);
    run.get(LIMIT_S, TimeUnit.SECONDS);
    assertThat(reportedKind()).isEqualTo(kind);
  }

  /** Runs a batch that never ends. */
  private void run() {
    BatchRunner.Batch endless =
        (partials, listener) ->
            Behaviors.setup(
                context -> {
                  listening.complete(listener);
                  started.complete(context.getSystem());
                  return Behaviors.ignore();
                });
    try (PartialFiles partials = PartialFiles.create()) {
      BatchRunner.run(endless, partials, ConfigFactory.load(), reported::complete);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private Kind reportedKind() throws Exception {
    BatchEvent.Ended end = (BatchEvent.Ended) reported.get(LIMIT_S, TimeUnit.SECONDS);
    return end.failure().orElseThrow().kind();
  }
}
