package io.dpuactors.apps.file;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.dpuactors.file.BatchEvent;
import io.dpuactors.file.FileFailure;
import io.dpuactors.file.PartialFiles;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class BatchRunnerTest {
  /** At a signal Pekko may end the actors before the batch receives its interrupt. */
  @Test
  void anActorSystemThatASignalEndsReportsAnInterruption() throws Exception {
    CompletableFuture<ActorSystem<?>> started = new CompletableFuture<>();
    CompletableFuture<BatchEvent> reported = new CompletableFuture<>();
    BatchRunner.Batch endless =
        (partials, listener) ->
            Behaviors.setup(
                context -> {
                  started.complete(context.getSystem());
                  return Behaviors.ignore();
                });
    try (PartialFiles partials = PartialFiles.create()) {
      CompletableFuture<Void> run =
          CompletableFuture.runAsync(
              () -> {
                try {
                  BatchRunner.run(endless, partials, ConfigFactory.load(), reported::complete);
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              });
      CoordinatedShutdown.get(started.get(10, TimeUnit.SECONDS))
          .runAll(CoordinatedShutdown.jvmExitReason());
      run.get(10, TimeUnit.SECONDS);
    }
    BatchEvent.Ended end = (BatchEvent.Ended) reported.get(10, TimeUnit.SECONDS);
    assertThat(end.failure().orElseThrow().kind()).isEqualTo(FileFailure.Kind.CANCELLED);
  }
}
